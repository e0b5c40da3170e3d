export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('no values to take a median of');
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/**
 * The slope of the least-squares line through the logarithms: 0 is no growth, 1 is proportional. Null for fewer than
 * two sizes.
 */
export function exponentOf(points: readonly (readonly [size: number, time: number])[]): number | null {
  if (points.length < 2) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logs = points.map(([size, time]) => [Math.log(size), Math.log(time)] as const);
  const [x, y] = [mean(logs.map(([size]) => size)), mean(logs.map(([, time]) => time))];
  const covariance = logs.reduce((sum, [size, time]) => sum + (size - x) * (time - y), 0);
  return covariance / logs.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
}

export interface TurnOptions {
  /** These rounds do not count: caches fill, statements are planned and code is compiled. */
  readonly warmUp: number;
  readonly minRounds: number;
  readonly maxRounds: number;
  /** No round begins after this many milliseconds. */
  readonly budgetMs: number;
}

/**
 * Milliseconds of each candidate, one value per round. A round runs all of them one after the other in rotating order,
 * so other load affects all alike.
 */
export async function timeInTurns<Name extends string>(
  candidates: Readonly<Record<Name, () => Promise<unknown>>>,
  { warmUp, minRounds, maxRounds, budgetMs }: TurnOptions,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const entries = Object.entries(candidates) as [Name, () => Promise<unknown>][];
  const times = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<Name, number[]>;
  const startedAt = performance.now();
  for (let round = -warmUp; round < maxRounds; round++) {
    if (round >= minRounds && performance.now() - startedAt > budgetMs) break;
    for (let i = 0; i < entries.length; i++) {
      const [name, run] = entries[(i + round + warmUp) % entries.length] as (typeof entries)[number];
      const begunAt = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - begunAt);
    }
  }
  return times;
}
