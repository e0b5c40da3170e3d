/** Finds values that can complete what is being typed in a filter text (Contract: §11). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';

/** What to look for, and for whom. */
export interface CompletionRequest {
  readonly source: ValueSource;
  /** Looked for literally and in any case, not case-folded yet; empty for any value. */
  readonly typed: string;
  readonly scope: AccessScope;
  /** How many values are wanted at most, 1-20. */
  readonly limit: number;
  /** The user whose share of capacity the work counts towards; users cannot starve each other. */
  readonly onBehalfOf: string;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/**
 * Values whose folded text (`foldCase`) contains the folded text typed, each once: tags and names of software that
 * devices in reach have, names of organizations in reach, names of sites of organizations in reach. Values that begin
 * with it come first, then the others; in either part, those of more devices in reach before those of fewer, then in
 * code point order.
 *
 * An answer is needed while somebody types. Where counting takes too long, or many devices are in reach, the order
 * goes by an estimate, and values that few devices have may be missing; at worst none are found. Nothing is ever named
 * that is out of reach. Rejects only if storage fails.
 */
export type CompletionSource = (request: CompletionRequest) => Promise<readonly FoundValue[]>;

/** A value that devices in reach have. */
export interface FoundValue {
  readonly value: string;
  /** How many devices in reach have it; null where that was only estimated. */
  readonly devices: number | null;
}
