import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';

export interface CompletionRequest {
  readonly source: ValueSource;
  /** The folded title whose versions are wanted; only for versions. */
  readonly title?: string;
  /** Matched literally, in any case; empty matches every value. */
  readonly typed: string;
  readonly scope: AccessScope;
  /** 1-20. */
  readonly limit: number;
  /** The user whose share of capacity pays for the work. */
  readonly onBehalfOf: string;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/**
 * Values that complete a filter text (Contract: §11): tags, software names and versions of devices in reach, names of
 * organizations in reach and of their sites. Each contains the folded text (`foldCase`). Values that begin with the
 * text come first; then more devices before fewer, then code point order. Answers must be fast: when counting takes
 * too long, the order is an estimate, rare values may be missing, and at worst nothing is found. Values out of reach
 * never appear. Rejects only if storage fails.
 */
export type CompletionSource = (request: CompletionRequest) => Promise<readonly FoundValue[]>;

export interface FoundValue {
  readonly value: string;
  /** Null if only estimated. */
  readonly devices: number | null;
}
