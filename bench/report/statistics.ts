/** Measures candidates in turns, and summarizes their times. */

/** The median. */
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
 * How a time grows with a size: the slope of the line of least squares through their logarithms. 0 is no growth, 1 is
 * growth in proportion. Null for less than two sizes.
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
  /** Rounds that do not count, while caches fill, statements are planned and code is compiled. */
  readonly warmUp: number;
  readonly minRounds: number;
  readonly maxRounds: number;
  /** Milliseconds after which no further round begins. */
  readonly budgetMs: number;
}

/**
 * The milliseconds that each candidate took, one value per round. In each round all of them run one after the other,
 * so that other load on the machine affects all alike; the order rotates from round to round.
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
