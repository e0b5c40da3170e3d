import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';

export interface ResealOptions {
  /** Makes the entry that is recorded with the first change. */
  readonly makeEntry: MakeChangeEntry;
  /** Deletes secrets that no known key decrypts; their owners must enroll again. Default: false. */
  readonly discardsUnreadable?: boolean;
  /** Called with the number of secrets resealed so far. */
  readonly onProgress: (done: number) => void;
}

/** How many secrets there were of each kind. */
export interface ResealOutcome {
  readonly resealed: number;
  /** Encrypted with an unknown key. They stay unless they are discarded. */
  readonly unreadable: number;
}

/**
 * Encrypts every secret with the current key while the service runs (Contract: §9, SECRET_KEY). Small transactions
 * let it be interrupted, repeated and run concurrently; other work waits for at most one of them.
 */
export type ResealSecrets = (options: ResealOptions) => Promise<ResealOutcome>;
