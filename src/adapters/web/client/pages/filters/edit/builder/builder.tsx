import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { words } from '#console/app/words.ts';
import { addMember, type DraftGroup } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeFaults, NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import {
  copyTo,
  locate,
  moveTo,
  type Rearranged,
  removeNode,
} from '#console/pages/filters/tree/rearrange.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { type BuilderParts, FindingsContext, PartsContext } from './builder-context.ts';
import { GroupEditor } from './group-editor.tsx';
import { NodeMenu, rearranged, type Step, withFocus } from './node-handle.tsx';
import { labelOf } from './node-parts.tsx';

export interface BuilderProps {
  readonly tree: DraftGroup;
  readonly vocabulary: Vocabulary;
  readonly notes: NodeNotes | null;
  readonly faults: NodeFaults;
  readonly onTree: (update: (tree: DraftGroup) => DraftGroup) => void;
  /** Null if the page has no text view. */
  readonly openText: (() => void) | null;
}

export function Builder(props: BuilderProps) {
  const { tree, vocabulary, notes, faults } = props;
  const [addedId, setAddedId] = useState<number | null>(null);
  const [opened, setOpened] = useState<{ readonly id: number; readonly handle: HTMLElement } | null>(null);
  const [said, setSaid] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;

  function show({ tree: next, id }: Rearranged) {
    // Synchronous, so the next key reaches the moved node.
    flushSync(() => {
      latest.current.onTree(() => next);
      setSaid(describePlace(next, id, latest.current.vocabulary));
    });
    root.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus();
  }

  function rearrange(id: number, step: Step) {
    const next = rearranged(latest.current.tree, id, step);
    if (next === null) setSaid(words.filters.staysHere);
    else show(next);
  }

  function remove(id: number) {
    const { tree: before, onTree } = latest.current;
    const next = removeNode(before, id);
    const [first] = next.members;
    const isBlank = first?.kind === 'condition' && locate(before, first.id) === null;
    if (isBlank) setAddedId(first.id);
    onTree(() => next);
    const around = locate(before, id)?.groups.findLast(
      (group) => group === before || locate(next, group.id) !== null,
    );
    if (!isBlank && around !== undefined) {
      root.current?.querySelector<HTMLElement>(`[data-adds="${around.id}"] button`)?.focus();
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read the latest props.
  const parts = useMemo(
    (): BuilderParts => ({
      vocabulary,
      change: (update) => latest.current.onTree(update),
      add: (groupId, member) => {
        const [first] = member.kind === 'group' ? member.members : [member];
        setAddedId(first?.id ?? null);
        latest.current.onTree((before) => addMember(before, groupId, member));
      },
      remove,
      rearrange,
      drop: (id, place, isCopy) => {
        const { tree } = latest.current;
        const next = isCopy ? copyTo(tree, id, place) : withFocus(moveTo(tree, id, place), id);
        if (next !== null) show(next);
      },
      openMenu: (id, handle) => setOpened({ id, handle }),
      openText: latest.current.openText === null ? null : () => latest.current.openText?.(),
    }),
    [vocabulary],
  );
  return (
    <PartsContext value={parts}>
      <FindingsContext value={{ notes, faults, addedId }}>
        <div ref={root}>
          <GroupEditor group={tree} level={1} />
        </div>
        <NodeMenu
          tree={tree}
          opened={opened}
          onClose={() => setOpened(null)}
          onStep={(step) => opened !== null && rearrange(opened.id, step)}
        />
        <div role="status" className="visually-hidden">
          {said}
        </div>
      </FindingsContext>
    </PartsContext>
  );
}

function describePlace(tree: DraftGroup, id: number, vocabulary: Vocabulary): string {
  const found = locate(tree, id);
  if (found === null) return '';
  return words.filters.isAt({
    label: labelOf(found.node, vocabulary),
    position: found.index + 1,
    size: found.group.members.length,
    group: words.filters.match[found.group.operator],
    level: found.groups.length,
  });
}
