export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Ascending and evenly spaced. */
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 5, 10];

/** Starts at zero, unless the counts vary little compared with their size. */
export function scaleOf(counts: readonly number[]): Scale {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const from = most - least < least / 2 ? least : 0;
  const rough = Math.max(1, (most - from) / 3);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * (STEPS.find((each) => each * size >= rough) ?? 10);
  const low = Math.floor(from / step) * step;
  const high = Math.max(low + step, Math.ceil(most / step) * step);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  return { low, high, ticks };
}
