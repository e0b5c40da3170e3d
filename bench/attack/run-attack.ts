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
  /**
   * How often it is tried again where others seem to notice too much: a machine that is busy otherwise slows one round
   * or another, a fault of the service every one.
   */
  readonly maxRounds: number;
  /** Ends it early; what was created is deleted all the same. */
  readonly signal?: AbortSignal;
}

export interface AttackResult {
  readonly attack: Attack;
  /** Of all rounds. */
  readonly tally: Tally;
  readonly seconds: number;
  /** Of the best round. */
  readonly slowdown: Slowdowns;
  /** How many turns of a profile and a preview others got through while the best round's flood lasted. */
  readonly turns: number;
  /** What others were refused in any round, such as 429; none in the quiet runs. */
  readonly refusals: readonly string[];
}

export interface Slowdowns {
  readonly preview: Slowdown;
  readonly profile: Slowdown;
}

/** Times under attack as multiples of the median of the quiet run. */
export interface Slowdown {
  readonly median: number;
  readonly worst: number;
}

/** What nobody else may notice more than this of, at the median (issue 8). */
export const MAX_SLOWDOWN = 5;

/** Whether others were served, and at most so much slower. */
export function hasHeld({ slowdown, refusals }: AttackResult): boolean {
  return refusals.length === 0 && worseOf(slowdown) <= MAX_SLOWDOWN;
}

export async function runAttack(
  attack: Attack,
  target: Target,
  observer: Observer,
  { quietMs, floodMs, maxRounds, signal }: AttackSettings,
): Promise<AttackResult> {
  const tally = new Tally();
  const refusals: string[] = [];
  let seconds = 0;
  let best: Pick<AttackResult, 'slowdown' | 'turns'> | null = null;
  const tidyUp = await attack.prepare?.(target);
  try {
    for (
      let round = 0;
      round < maxRounds && (best === null || worseOf(best.slowdown) > MAX_SLOWDOWN);
      round++
    ) {
      const quiet = await observer.during(() => sleep(quietMs, undefined, { signal }));
      if (quiet.refusals.length > 0) throw new Error(`without any attack, others get ${quiet.refusals[0]}`);
      const begunAt = performance.now();
      const attacked = await floodFor(
        () => sleep(floodMs, undefined, { signal }),
        attack,
        target,
        tally,
        observer,
      );
      seconds += (performance.now() - begunAt) / 1_000;
      refusals.push(...attacked.refusals, ...((await attack.check?.(target)) ?? []));
      const slowdown = {
        preview: slowdownOf(quiet.previewMs, attacked.previewMs),
        profile: slowdownOf(quiet.profileMs, attacked.profileMs),
      };
      if (best === null || worseOf(slowdown) < worseOf(best.slowdown)) {
        // Their last turn is the one that the end of the flood finds them in.
        best = { slowdown, turns: attacked.previewMs.length - 1 };
      }
    }
  } finally {
    await tidyUp?.();
  }
  if (best === null) throw new RangeError('an attack takes at least one round');
  return { attack, tally, seconds, ...best, refusals };
}

async function floodFor(
  wait: () => Promise<void>,
  attack: Attack,
  target: Target,
  tally: Tally,
  observer: Observer,
): Promise<Observation> {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const flood = attack.flood(target, tally, end.signal);
  try {
    // A flood that fails is not waited for.
    return await observer.during(() => Promise.race([wait(), flood]).then(() => undefined));
  } finally {
    end.abort();
    await flood;
  }
}

function slowdownOf(quiet: readonly number[], attacked: readonly number[]): Slowdown {
  const quietMs = median(quiet);
  return { median: median(attacked) / quietMs, worst: Math.max(...attacked) / quietMs };
}

function worseOf({ preview, profile }: Slowdowns): number {
  return Math.max(preview.median, profile.median);
}
