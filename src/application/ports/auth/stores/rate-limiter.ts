/** Counts attempts in sliding windows, shared by all instances of the service (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

export interface RateRule extends WindowLimit {
  /** Keeps the counters of different rules apart. Lower-case letters and hyphens. */
  readonly name: string;
}

/**
 * What one counter counts. Only {@link rateLimit} makes keys, and a key keeps its parts apart, so a stranger cannot
 * choose a text that reaches somebody else's counter.
 */
export interface RateKey {
  readonly rule: RateRule;
  readonly parts: readonly string[];
  /** For the compiler alone. */
  readonly '~madeBy': 'rateLimit';
}

/** A function that makes the keys of one rule from what its attempts are counted by. */
export function rateLimit<Given extends readonly unknown[]>(
  rule: RateRule,
  partsOf: (...given: Given) => readonly string[],
): (...given: Given) => RateKey {
  return (...given) => ({ rule, parts: partsOf(...given) }) as unknown as RateKey;
}

/**
 * The name under which a store keeps a counter. Each part is hashed by itself: digests have one length, so different
 * keys never have the same name, and the store holds no email and no address.
 */
export function counterName({ rule, parts }: RateKey, sha256: (text: string) => string): string {
  return [rule.name, ...parts.map(sha256)].join(':');
}

/** Whether the attempt may go ahead. */
export type RateVerdict = WindowVerdict;

export interface RateLimiter {
  /**
   * Counts one attempt under the key, atomically: of all attempts within any window, simultaneous ones included, no
   * more than `points` are allowed. A refused attempt is not counted and delays nothing; exactly one of the refusals
   * between two allowed attempts is the first. Parts of a key may have any length and are not stored as they are.
   */
  consume(key: RateKey): Promise<RateVerdict>;
  /** Takes back the newest attempt in the window, if any: for rules under which only failures count. */
  refund(key: RateKey): Promise<void>;
}
