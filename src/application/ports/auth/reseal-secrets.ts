import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';

export interface ResealOptions {
  /** Recorded with the first change. */
  readonly makeEntry: MakeChangeEntry;
  /** Deletes secrets that no known key decrypts; their owners must enroll again. Default: false. */
  readonly discardsUnreadable?: boolean;
  /** Called with the number of secrets resealed so far. */
  readonly onProgress: (done: number) => void;
}

/** Numbers of secrets of each kind. */
export interface ResealOutcome {
  readonly resealed: number;
  /** Encrypted with an unknown key. They stay unless they are discarded. */
  readonly unreadable: number;
}

/**
 * Encrypts every secret with the current key while the service runs (Contract: §9, SECRET_KEY). In small transactions:
 * it can be interrupted, repeated and run concurrently, and others wait for at most one.
 */
export type ResealSecrets = (options: ResealOptions) => Promise<ResealOutcome>;
