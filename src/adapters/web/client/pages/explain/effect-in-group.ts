/** What a condition or a group does in the AND around it, as a person asks for it (Contract: §12). */
import type { ExplainedNode } from '#adapters/http/api-types.ts';

/** It may be left out, or it alone leaves the group without the devices that it would match `without` it. */
export type GroupEffect = { readonly kind: 'idle' } | { readonly kind: 'empties'; readonly without: number };

/** Null where there is nothing to say. */
export function effectInGroup(
  { countWithout }: ExplainedNode,
  groupCount: number | undefined,
): GroupEffect | null {
  if (countWithout === undefined || groupCount === undefined) return null;
  if (countWithout === groupCount) return { kind: 'idle' };
  return groupCount === 0 ? { kind: 'empties', without: countWithout } : null;
}
