import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A user's confirmed factors: an authenticator app, passkeys or both. */
export interface MfaFactor {
  /** The app's secret in base32; null if the user has only passkeys. */
  readonly secret: string | null;
  /** Incremented with every new app and with the loss of the last factor. Either voids earlier verifications. */
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
  /** Takes the codes' SHA-256. Throws unless the user is active. */
  replaceRecoveryCodes(userId: UserId, codeSha256s: readonly string[]): Promise<void>;
  /** Replaces an unfinished enrollment. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  /** However old. */
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Removes the app, passkeys, recovery codes and enrollment, and voids earlier verifications. False if there was no
   * factor.
   */
  removeFactor(userId: UserId): Promise<boolean>;
  /**
   * Makes the enrollment's secret the app's, with `step` as the last used one, and replaces the recovery codes. Returns
   * the factor's epoch.
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
