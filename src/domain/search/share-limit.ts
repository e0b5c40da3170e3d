/** How many places of an answer each category gets (Contract: §6). */

/**
 * Deals the places out in rounds: in each, every category that has more to show gets one, the first one first,
 * until there is no place or nothing to show left. So each gets at least ⌊limit / categories with matches⌋ where it
 * has that many, what it leaves unused goes to the others evenly, and what does not come out even to the first.
 *
 * @param counts how many matches each category has, in the order of the categories
 */
export function shareLimit(counts: readonly number[], limit: number): readonly number[] {
  const shares = counts.map(() => 0);
  let left = Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
  for (let round = 1; left > 0; round++) {
    for (const [i, count] of counts.entries()) {
      if (count < round || left === 0) continue;
      shares[i] = round;
      left--;
    }
  }
  return shares;
}
