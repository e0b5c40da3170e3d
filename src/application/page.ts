import type { WholeNumbers } from './input-values.ts';

/** The limit of every list (Contract: §10). */
export const PAGE_LIMIT: WholeNumbers = { min: 1, max: 200, fallback: 50 };

export interface Page<Item, Place> {
  readonly items: readonly Item[];
  readonly next: Place | null;
}

/** `found` has one item more than `limit` if there is a next page. */
export function toPage<Item, Place>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Place,
): Page<Item, Place> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : placeOf(last) };
}
