import { words } from '#console/app/words.ts';
import { changeNode } from '#console/pages/filters/tree/draft-tree.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { useBuilder } from './builder-context.ts';

/** Removes a node. The focus goes to where the next one can be added. */
export function RemoveButton({ id }: { readonly id: number }) {
  const { change } = useBuilder();
  return (
    <Button
      kind="quiet"
      isCompact
      aria-label={words.filters.removeNode}
      onPress={({ target }) => {
        const around = target.closest('li')?.closest('[role="group"]');
        const adding = [...(around?.querySelectorAll<HTMLElement>('[data-adds]') ?? [])].at(-1);
        change((tree) => changeNode(tree, id, () => null));
        adding?.querySelector('button')?.focus();
      }}
    >
      <Icon name="close" />
    </Button>
  );
}
