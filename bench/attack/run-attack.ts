/** Runs an attack and compares what others see with a quiet run just before. */
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
  /** Repeats the attack if others notice too much. Other load slows single rounds; a fault of the service slows all. */
  readonly maxRounds: number;
  /** Ends the attack early. What it created is still deleted. */
  readonly signal?: AbortSignal;
}

export interface AttackResult {
  readonly attack: Attack;
  readonly tally: Tally;
  readonly seconds: number;
  /** From the best round. */
  readonly slowdown: Slowdowns;
  /** Requests for a profile and a preview that others completed during the best round. */
  readonly turns: number;
  /** Refusals to others in any round, such as 429; none in quiet runs. */
  readonly refusals: readonly string[];
}

export interface Slowdowns {
  readonly preview: Slowdown;
  readonly profile: Slowdown;
}

/** Relative to the median of the quiet run. */
export interface Slowdown {
  readonly median: number;
  readonly worst: number;
}

/** The limit for others at the median (issue 8). */
export const MAX_SLOWDOWN = 5;

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
        // The flood ends during their last request.
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
    // A failed flood ends the observation.
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
