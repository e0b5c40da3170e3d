/** What lists are sorted by where they are sorted by a name (Contract: §10). */
import { foldCase } from './fold-case.ts';

/** How much of a name decides, in code points; so that a place in a list is short. */
export const SORTED_NAME_LENGTH = 200;

/** The name in any case, as far as it decides. */
export function sortedName(name: string): string {
  const folded = foldCase(name);
  return folded.length <= SORTED_NAME_LENGTH
    ? folded
    : Array.from(folded).slice(0, SORTED_NAME_LENGTH).join('');
}
