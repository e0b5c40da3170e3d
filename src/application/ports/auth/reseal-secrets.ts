/** Moves stored secrets to the current key, while the service runs (Contract: §9, SECRET_KEY). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/** What goes on record, and who hears of progress. */
export interface ResealOptions {
  /** Recorded together with the first change; not recorded if nothing has to change. */
  readonly entry: AuditEntry;
  /** Deletes what no known key opens: such second factors are enrolled anew. Default: false. */
  readonly discardsUnreadable?: boolean;
  /** Called with the number of secrets moved so far. */
  readonly onProgress: (done: number) => void;
}

/** How many secrets there were. */
export interface ResealOutcome {
  /** How many secrets were moved. */
  readonly resealed: number;
  /** How many were sealed with a key that is not known; they stay as they are, unless they were to be discarded. */
  readonly unreadable: number;
}

/**
 * Seals every secret with the current key that was sealed otherwise. Works in small transactions, so that it may be
 * interrupted and repeated, also by several at once; nobody waits for more than one of them.
 */
export type ResealSecrets = (options: ResealOptions) => Promise<ResealOutcome>;
