import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';

export interface CompletionRequest {
  readonly source: ValueSource;
  /** The folded software title, if its versions are wanted. */
  readonly title?: string;
  /** Matched literally, ignoring case. Empty text matches every value. */
  readonly typed: string;
  readonly scope: AccessScope;
  /** 1-20. */
  readonly limit: number;
  /** The request counts towards this user's share of capacity. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
}

/**
 * Values that complete a filter text (Contract: §11): tags, software names and versions of devices in reach, and names
 * of organizations, sites and filters in reach. Each contains the folded text (`foldCase`). Values that begin with it
 * come first, then values on more devices, then code point order decides. If counting takes too long, the order is an
 * estimate, rare values may be missing, and at worst nothing is found. Rejects only if storage fails.
 */
export type CompletionSource = (request: CompletionRequest) => Promise<readonly FoundValue[]>;

export interface FoundValue {
  readonly value: string;
  /** How many devices have the value; null if only estimated. */
  readonly devices: number | null;
}
