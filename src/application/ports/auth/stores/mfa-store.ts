import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A user's confirmed factors: an authenticator app, passkeys or both. */
export interface MfaFactor {
  /** The app's secret in base32; null if the user has only passkeys. */
  readonly secret: string | null;
  /**
   * Incremented when an app is set up and when the last factor is removed. A higher epoch voids earlier verifications.
   */
  readonly epoch: number;
}

/** An authenticator app that is not confirmed yet. */
export interface MfaEnrollment {
  /** In base32. */
  readonly secret: string;
  readonly startedAt: EpochMs;
}

/** Second factors. Works within a transaction of system scope. Unknown users have no factor and no enrollment. */
export interface MfaWriter {
  /** Null if there is no factor. Locks the user until the transaction ends. */
  findFactor(userId: UserId): Promise<MfaFactor | null>;
  /** Uses up a time step. False if it or a later one was used before, so a code works only once. */
  takeStep(userId: UserId, step: number): Promise<boolean>;
  /** Uses up a code. False if it was used before. */
  takeRecoveryCode(userId: UserId, codeSha256: string): Promise<boolean>;
  /** Replaces all codes by new ones, given by their SHA-256. Throws unless the user is active. */
  replaceRecoveryCodes(userId: UserId, codeSha256s: readonly string[]): Promise<void>;
  /** Replaces any unfinished enrollment. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  /** Also returns an expired enrollment. */
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Removes the app, passkeys, recovery codes and enrollment, and voids earlier verifications. False if there was no
   * factor.
   */
  removeFactor(userId: UserId): Promise<boolean>;
  /**
   * Confirms the enrollment: the app gets `secret`, `step` counts as used, and recovery codes are replaced. Returns the
   * new `epoch` of the factor.
   */
  completeEnrollment(
    userId: UserId,
    completed: {
      readonly secret: string;
      readonly step: number;
      readonly recoveryCodeSha256s: readonly string[];
    },
  ): Promise<number>;
}
