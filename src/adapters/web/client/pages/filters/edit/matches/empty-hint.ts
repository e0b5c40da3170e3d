import { words } from '#console/app/words.ts';
import type { DraftCondition, DraftNode } from '#console/pages/filters/tree/draft-tree.ts';
import type { NodeNotes } from '#console/pages/filters/tree/node-notes.ts';
import type { Vocabulary } from '#console/parts/condition/use-vocabulary.ts';
import { findEntry } from '#domain/filter/catalog/field-catalog.ts';

/** Says which part excludes the most devices, or else which condition matches the fewest. */
export function emptyHint(
  tree: DraftNode,
  notes: NodeNotes,
  { catalog }: Pick<Vocabulary, 'catalog'>,
): string | null {
  const labelOf = ({ field }: DraftCondition) => {
    const entry = findEntry(catalog, field);
    return entry?.kind === 'field' ? entry.field.label : field;
  };
  const emptying = membersOf(tree)
    .flatMap((node) => {
      const effect = notes.get(node.id)?.effect;
      return effect?.kind === 'empties'
        ? [{ node, count: effect.without, isEstimate: effect.isEstimate }]
        : [];
    })
    .toSorted((a, b) => b.count - a.count)[0];
  if (emptying !== undefined) {
    const { node, count, isEstimate } = emptying;
    if (node.kind === 'condition') return words.filters.emptiedBy(labelOf(node), count, isEstimate);
    return words.filters.emptiedByGroup(conditionsOf(node).length, count, isEstimate);
  }
  const rarest = conditionsOf(tree)
    .flatMap((condition) => {
      const note = notes.get(condition.id);
      return note === undefined ? [] : [{ condition, count: note.count, isEstimate: note.margin !== null }];
    })
    .toSorted((a, b) => a.count - b.count)[0];
  if (rarest === undefined) return null;
  return words.filters.rarest(labelOf(rarest.condition), rarest.count, rarest.isEstimate);
}

function membersOf(node: DraftNode): readonly DraftNode[] {
  if (node.kind !== 'group') return [];
  const [only, ...others] = node.members;
  return only === undefined || others.length > 0 ? node.members : membersOf(only);
}

function conditionsOf(node: DraftNode): readonly DraftCondition[] {
  if (node.kind === 'condition') return [node];
  return node.kind === 'group' ? node.members.flatMap(conditionsOf) : [];
}
