/** What a condition or a group does in the AND around it, as a person asks for it (Contract: §12). */
import type { ExplainedNode, Explanation } from '#console/api/filters/filter-types.ts';

/** It may be left out, or it alone leaves the group without the devices that it would match `without` it. */
export type GroupEffect = { readonly kind: 'idle' } | { readonly kind: 'empties'; readonly without: number };

/** Null where there is nothing to say. */
export function effectInGroup(
  { count, countWithout }: ExplainedNode,
  groupCount: number | undefined,
  { deviceCount }: Pick<Explanation, 'deviceCount'>,
): GroupEffect | null {
  if (countWithout === undefined || groupCount === undefined) return null;
  if (groupCount === 0 && countWithout > 0) return { kind: 'empties', without: countWithout };
  // In a group that matches nothing, others do that already: what only they hide cannot be told from what is idle.
  const isIdle = groupCount === 0 ? count === deviceCount : countWithout === groupCount;
  return isIdle ? { kind: 'idle' } : null;
}
