import { words } from '#console/app/words.ts';
import type { DraftCondition, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';

/** Of the conditions of the whole, the one that matches fewest devices by itself: the first to look at. */
export function rarestHint(tree: DraftNode, notes: NodeNotes, { catalog }: Vocabulary): string | null {
  const rarest = conditionsOf(tree)
    .flatMap((condition) => {
      const note = notes.get(condition.id);
      return note === undefined ? [] : [{ condition, count: note.count }];
    })
    .toSorted((a, b) => a.count - b.count)[0];
  if (rarest === undefined) return null;
  const entry = catalog.get(rarest.condition.field);
  const label = entry?.kind === 'field' ? entry.field.label : rarest.condition.field;
  return words.filters.rarest(label, rarest.count);
}

function conditionsOf(node: DraftNode): readonly DraftCondition[] {
  if (node.kind === 'condition') return [node];
  return node.kind === 'group' ? node.members.flatMap(conditionsOf) : [];
}
