/** Counts attempts in sliding windows, shared by all instances of the service (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

/** What is counted, and the limit. */
export interface RateRule extends WindowLimit {
  /** Keeps the counters of different rules apart. */
  readonly name: string;
}

/** Whether the attempt may go ahead. */
export type RateVerdict = WindowVerdict;

/** Counters by rule and key. */
export interface RateLimiter {
  /**
   * Counts one attempt under the key, atomically: of all attempts within any window, simultaneous ones included, no
   * more than `points` are allowed. A refused attempt is not counted and delays nothing; exactly one of the refusals
   * between two allowed attempts is the first. The key may have any length and is not stored as it is.
   */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /** Takes back the newest attempt in the window, if any: for rules under which only failures count. */
  refund(rule: RateRule, key: string): Promise<void>;
}
