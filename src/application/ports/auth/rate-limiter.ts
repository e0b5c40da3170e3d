/** Counts attempts in windows of time, shared by all instances of the service (Contract: §2, §7). */

/** What is counted, and the limit. */
export interface RateRule {
  /** Keeps the counters of different rules apart. */
  readonly name: string;
  /** How many attempts a window allows. */
  readonly points: number;
  /** How long a window lasts; it begins with its first attempt. */
  readonly windowSeconds: number;
}

/** Whether the attempt may go ahead. */
export type RateVerdict =
  | { readonly allowed: true }
  /** Whole seconds until the window ends, rounded up, at least 1. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Counters by rule and key. */
export interface RateLimiter {
  /**
   * Counts one attempt under the key, atomically: of simultaneous attempts no more than `points` are allowed. The key
   * may have any length and is not stored as it is. A refused attempt is not counted and does not extend the window.
   */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /** Takes back one attempt in the current window, if any: for rules under which only failures count. */
  refund(rule: RateRule, key: string): Promise<void>;
}
