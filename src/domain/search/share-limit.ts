/** Shares the limit of a search among its categories (Contract: §6). */

/**
 * Deals out places in rounds: in each round every category with more matches gets one, in order, until places or
 * matches run out. So each category gets at least ⌊limit / categories with matches⌋ if it has that many, unused
 * places go to the others evenly, and the remainder goes to the first ones.
 *
 * @param counts the number of matches per category, in the order of the categories
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
