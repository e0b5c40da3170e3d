/** Runs an attack, and says what others saw of it, compared with a quiet run just before. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../report/statistics.ts';
import type { Attack } from './attack.ts';
import type { Observation, Observer } from './observe/observer.ts';
import { Tally } from './tally.ts';
import type { Target } from './target/target.ts';

export interface AttackSettings {
  readonly quietMs: number;
  readonly floodMs: number;
}

export interface AttackResult {
  readonly attack: Attack;
  readonly tally: Tally;
  readonly seconds: number;
  readonly preview: Slowdown;
  readonly profile: Slowdown;
  /** What others were refused, such as 429; none in the quiet run. */
  readonly refusals: readonly string[];
}

/** Times under attack as multiples of the median of the quiet run. */
export interface Slowdown {
  readonly quietMs: number;
  readonly median: number;
  readonly worst: number;
}

/** What nobody else may notice more than this of, at the median (issue 8). */
export const MAX_SLOWDOWN = 5;

/** Whether others were served, and at most so much slower. */
export function hasHeld({ preview, profile, refusals }: AttackResult): boolean {
  return refusals.length === 0 && preview.median <= MAX_SLOWDOWN && profile.median <= MAX_SLOWDOWN;
}

export async function runAttack(
  attack: Attack,
  target: Target,
  observer: Observer,
  { quietMs, floodMs }: AttackSettings,
): Promise<AttackResult> {
  const tidyUp = await attack.prepare?.(target);
  try {
    const quiet = await observer.during(() => sleep(quietMs));
    if (quiet.refusals.length > 0) throw new Error(`without any attack, others get ${quiet.refusals[0]}`);
    const tally = new Tally();
    const end = new AbortController();
    setMaxListeners(0, end.signal);
    const begunAt = performance.now();
    const flood = attack.flood(target, tally, end.signal);
    let attacked: Observation;
    try {
      // What goes wrong in the flood ends it, and is not waited for.
      attacked = await observer.during(() => Promise.race([sleep(floodMs), flood]).then(() => undefined));
    } finally {
      end.abort();
    }
    await flood;
    return {
      attack,
      tally,
      seconds: (performance.now() - begunAt) / 1_000,
      preview: slowdown(quiet.previewMs, attacked.previewMs),
      profile: slowdown(quiet.profileMs, attacked.profileMs),
      refusals: attacked.refusals,
    };
  } finally {
    await tidyUp?.();
  }
}

function slowdown(quiet: readonly number[], attacked: readonly number[]): Slowdown {
  const quietMs = median(quiet);
  return { quietMs, median: median(attacked) / quietMs, worst: Math.max(...attacked) / quietMs };
}
