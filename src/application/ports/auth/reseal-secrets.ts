import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';

export interface ResealOptions {
  /** The entry is recorded with the first change. */
  readonly makeEntry: MakeChangeEntry;
  /** Deletes secrets that no known key decrypts; their owners must set them up again. Default: false. */
  readonly discardsUnreadable?: boolean;
  /** Called with the number of secrets resealed so far. */
  readonly onProgress: (done: number) => void;
}

/** How many secrets were resealed, and how many could not be. */
export interface ResealOutcome {
  readonly resealed: number;
  /** Secrets that no known key decrypts. They stay unless `discardsUnreadable` is set. */
  readonly unreadable: number;
}

/**
 * Encrypts every secret with the current key while the service runs (Contract: §9, SECRET_KEY). It works in small
 * transactions, so it can be interrupted, repeated and run concurrently, and other changes wait only briefly.
 */
export type ResealSecrets = (options: ResealOptions) => Promise<ResealOutcome>;
