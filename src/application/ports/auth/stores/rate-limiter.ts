/** Counts attempts in sliding windows, shared by all instances (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

export interface RateRule extends WindowLimit {
  /** Keeps the counters of rules apart. Lower-case letters and hyphens. */
  readonly name: string;
}

/**
 * Names one counter. Only {@link rateLimit} makes keys, and keys keep their parts apart, so no text that a stranger
 * chooses reaches somebody else's counter.
 */
export interface RateKey {
  readonly rule: RateRule;
  readonly parts: readonly string[];
  /** For the compiler alone. */
  readonly '~madeBy': 'rateLimit';
}

/** Returns a function that makes the keys of one rule. */
export function rateLimit<Given extends readonly unknown[]>(
  rule: RateRule,
  partsOf: (...given: Given) => readonly string[],
): (...given: Given) => RateKey {
  return (...given) => ({ rule, parts: partsOf(...given) }) as unknown as RateKey;
}

/**
 * The name of a counter in stores. Each part is hashed by itself: digests have one length, so different keys never
 * share a name, and the store holds no email and no address.
 */
export function counterName({ rule, parts }: RateKey, sha256: (text: string) => string): string {
  return [rule.name, ...parts.map(sha256)].join(':');
}

export type RateVerdict = WindowVerdict;

export interface RateLimiter {
  /**
   * Counts one attempt atomically: any window has at most `points` allowed attempts, even simultaneous ones. A
   * refused attempt does not count and delays nothing. Between two allowed attempts, exactly one refusal is marked as
   * first. Parts of a key may have any length and are stored as digests.
   */
  consume(key: RateKey): Promise<RateVerdict>;
  /** Takes back the newest attempt, for rules that count failures only. */
  refund(key: RateKey): Promise<void>;
}
