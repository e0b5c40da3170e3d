/** Counts attempts in windows of time that every instance of the service shares (Contract: §2, §7). */

/** What is counted, and how often it may happen. */
export interface RateRule {
  /** Tells the counters of one rule from those of another. */
  readonly name: string;
  /** How many attempts a window takes. */
  readonly points: number;
  /** A window begins with its first attempt, and lasts so many seconds. */
  readonly windowSeconds: number;
}

export type RateVerdict =
  | { readonly allowed: true }
  /** Whole seconds, at least 1, rounded up: after them the window has ended. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /**
   * Counts one attempt under the key, which may be of any length and is not kept as it is. An attempt that is
   * refused counts for nothing: it does not make the window longer.
   */
  consume(rule: RateRule, key: string): Promise<RateVerdict>;
  /** Takes back one attempt that was counted in the current window, where only failures are to count. */
  refund(rule: RateRule, key: string): Promise<void>;
}
