/** Fair shares (Contract: §6). */
import { describe, expect, test } from 'vitest';
import { shareLimit } from '#domain/search/rank-search.ts';

describe('a limit is shared', () => {
  test.each<[number[], number, number[]]>([
    [[0, 0, 0, 0], 20, [0, 0, 0, 0]],
    [[], 20, []],
    [[9, 9, 9, 9], 20, [5, 5, 5, 5]],
    [[9, 0, 0, 0], 5, [5, 0, 0, 0]],
    [[0, 0, 0, 9], 5, [0, 0, 0, 5]],
    // The remainder goes to the first categories.
    [[9, 9, 9, 9], 6, [2, 2, 1, 1]],
    [[99, 99, 0, 99], 20, [7, 7, 0, 6]],
    // Unused places go to the others evenly.
    [[99, 1, 99, 1], 20, [9, 1, 9, 1]],
    [[1, 99, 99, 2], 20, [1, 9, 8, 2]],
    [[2, 3, 99, 99], 20, [2, 3, 8, 7]],
    // Fewer places than categories.
    [[9, 9, 9, 9], 1, [1, 0, 0, 0]],
    [[0, 9, 9, 9], 2, [0, 1, 1, 0]],
    // Fewer matches than places.
    [[1, 2, 3, 4], 50, [1, 2, 3, 4]],
    [[1, 2, 3, 4], 10, [1, 2, 3, 4]],
    [[1, 2, 3, 4], 9, [1, 2, 3, 3]],
    [[5000, 4000, 3000, 7], 50, [15, 14, 14, 7]],
  ])('%j matches, %d places: %j', (counts, limit, shares) => {
    expect(shareLimit(counts, limit)).toStrictEqual(shares);
  });

  test('as the contract says, for many counts and limits', () => {
    const sizes = [0, 1, 2, 3, 5, 8, 50, 51];
    let count = 0;
    for (const a of sizes) {
      for (const b of sizes) {
        for (const c of sizes) {
          for (const d of [0, 1, 3, 7]) {
            for (const limit of [1, 2, 3, 4, 5, 6, 7, 8, 20, 49, 50]) {
              expectFair([a, b, c, d], limit);
              count++;
            }
          }
        }
      }
    }
    expect(count).toBe(22_528);
  });
});

function expectFair(counts: readonly number[], limit: number): void {
  const shares = shareLimit(counts, limit);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const withMatches = counts.filter((count) => count > 0).length;
  const fairShare = withMatches === 0 ? 0 : Math.floor(limit / withMatches);
  const hungry = shares.filter((share, i) => share < (counts[i] ?? 0));
  const facts = {
    isFull: sum(shares) === Math.min(limit, sum(counts)),
    noneHasTooMuch: shares.every((share, i) => share <= (counts[i] ?? 0)),
    eachHasItsShare: shares.every((share, i) => share >= Math.min(fairShare, counts[i] ?? 0)),
    // A category that could use more has at most one place fewer than another, and no fewer than a later one.
    isEven: hungry.every((share) => Math.max(...shares) - share <= 1),
    isInOrder: shares.every(
      (share, i) => share === counts[i] || shares.slice(i + 1).every((later) => later <= share),
    ),
  };
  if (!Object.values(facts).every(Boolean)) expect({ counts, limit, shares, facts }).toBe('fair');
}
