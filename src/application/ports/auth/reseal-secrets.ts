import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';

export interface ResealOptions {
  /** Recorded with the first change. */
  readonly makeEntry: MakeChangeEntry;
  /** Deletes secrets that no known key opens; their owners enrol anew. Default: false. */
  readonly discardsUnreadable?: boolean;
  /** Called with the number of secrets moved so far. */
  readonly onProgress: (done: number) => void;
}

/** Numbers of secrets. */
export interface ResealOutcome {
  readonly resealed: number;
  /** Sealed with an unknown key. They stay unless discarded. */
  readonly unreadable: number;
}

/**
 * Seals every secret with the current key while the service runs (Contract: §9, SECRET_KEY). Works in small
 * transactions: it can be interrupted, repeated and run concurrently, and others wait for at most one transaction.
 */
export type ResealSecrets = (options: ResealOptions) => Promise<ResealOutcome>;
