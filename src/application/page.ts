/** Pages of lists. */
import type { WholeNumbers } from './whole-number.ts';

/** How many entries a page of any list has (Contract: §10). */
export const PAGE_LIMIT: WholeNumbers = { min: 1, max: 200, fallback: 50 };

/** One page of a list that is read from place to place. */
export interface Page<Item, Place> {
  readonly items: readonly Item[];
  /** Where the next page starts; null on the last page. */
  readonly next: Place | null;
}

/** The page out of what was found with a limit of one more than it takes, which shows whether there is a next one. */
export function toPage<Item, Place>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Place,
): Page<Item, Place> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : placeOf(last) };
}
