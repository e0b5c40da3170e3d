/** Counts attempts in sliding windows, shared by all instances (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

export interface RateRule extends WindowLimit {
  /** Keeps the counters of different rules apart. */
  readonly name: string;
}

export type RateVerdict = WindowVerdict;

export interface RateLimiter {
  /**
   * Counts one attempt atomically: within any window at most `points` are allowed, even simultaneously. A refused
   * attempt does not count and delays nothing. Exactly one refusal between two allowed attempts is marked first.
   */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /** Takes back the newest attempt, for rules that count failures only. */
  refund(rule: RateRule, key: string): Promise<void>;
}
