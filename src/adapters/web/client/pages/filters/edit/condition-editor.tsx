import { words } from '#console/app/words.ts';
import { changeNode, type DraftCondition } from '#console/pages/filters/tree/draft-tree.ts';
import { ConditionFields } from '#console/parts/condition/condition-fields.tsx';
import { useBuilder } from './builder-context.ts';
import styles from './condition-editor.module.css';
import { NodeCount } from './node-count.tsx';
import { faultsId, NodeFaultList } from './node-faults.tsx';
import { RemoveButton } from './remove-button.tsx';

/** A condition of the builder, with what it does to the devices. */
export function ConditionEditor({ condition }: { readonly condition: DraftCondition }) {
  const { vocabulary, faults, change, addedId } = useBuilder();
  const { id } = condition;
  const entry = vocabulary.catalog.get(condition.field);
  const label = entry?.kind === 'field' ? entry.field.label : words.filters.chooseField;
  const wrong = faults.get(id) ?? [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser.
    <div role="group" aria-label={`${words.filters.condition}: ${label}`} className={styles.condition}>
      <div className={styles.row}>
        <ConditionFields
          condition={condition}
          vocabulary={vocabulary}
          isInvalid={wrong.length > 0}
          describedBy={wrong.length > 0 ? faultsId(id) : undefined}
          hasFocusAtFirst={addedId === id}
          onChange={(next) => change((tree) => changeNode(tree, id, () => next))}
        />
        <NodeCount id={id} />
        <RemoveButton id={id} />
      </div>
      <NodeFaultList id={id} messages={wrong} />
    </div>
  );
}
