/**
 * Shares a search's limit among categories (Contract: §6). In each round every category with more matches gets one
 * place. So each gets at least ⌊limit / categories with matches⌋, unused places go to the others, and the remainder
 * goes to the first.
 * @param counts matches per category, in the order of the categories
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
