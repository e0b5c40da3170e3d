/** Counts attempts in sliding windows, shared by all instances (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

/** A limit on attempts. */
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

/** Whether the attempt is allowed, and when to retry. */
export type RateVerdict = WindowVerdict;

/** Counters by key. */
export interface RateLimiter {
  /**
   * Counts one attempt atomically: within any window at most `points` are allowed, even simultaneously. A refused
   * attempt does not count and delays nothing. Exactly one refusal between two allowed attempts is marked first.
   * Parts of a key may have any length and are stored as digests.
   */
  consume(key: RateKey): Promise<RateVerdict>;
  /** Takes back the newest attempt, for rules that count failures only. */
  refund(key: RateKey): Promise<void>;
}
