/** Counts attempts in sliding windows, shared by all instances (Contract: §2, §7). */
import type { WindowLimit, WindowVerdict } from '#domain/access/sliding-window.ts';

export interface RateRule extends WindowLimit {
  /** In lower-case letters and hyphens. Keeps the counters of different rules apart. */
  readonly name: string;
}

/**
 * Names one counter. Only {@link rateLimit} makes keys. A key keeps its parts apart, so a stranger cannot choose text
 * that reaches another person's counter.
 */
export interface RateKey {
  readonly rule: RateRule;
  readonly parts: readonly string[];
  /** For the type checker only. */
  readonly '~madeBy': 'rateLimit';
}

/** Returns a function that makes keys of this rule. */
export function rateLimit<Given extends readonly unknown[]>(
  rule: RateRule,
  partsOf: (...given: Given) => readonly string[],
): (...given: Given) => RateKey {
  return (...given) => ({ rule, parts: partsOf(...given) }) as unknown as RateKey;
}

/**
 * A counter's name in stores. Each part is hashed separately: digests have one length, so different keys never share a
 * name, and the store contains no email or address.
 */
export function counterName({ rule, parts }: RateKey, sha256: (text: string) => string): string {
  return [rule.name, ...parts.map(sha256)].join(':');
}

export type RateVerdict = WindowVerdict;

export interface RateLimiter {
  /**
   * Counts one attempt atomically.
   * - In any window at most `points` attempts are allowed, even simultaneous ones.
   * - A refused attempt does not count or prolong the wait.
   * - After each allowed attempt, only the first refusal has `isFirstRefusal`.
   * - Parts of a key may have any length.
   */
  consume(key: RateKey): Promise<RateVerdict>;
  /** Takes back the newest attempt, for rules that count only failures. */
  refund(key: RateKey): Promise<void>;
}
