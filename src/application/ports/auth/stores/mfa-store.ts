import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Confirmed factors: an authenticator app, passkeys or both. */
export interface MfaFactor {
  /** The app's, in base32; null if the user has only passkeys. */
  readonly secret: string | null;
  /** Increases with every new app and with the loss of the last factor, which voids earlier verifications. */
  readonly epoch: number;
}

/** Not confirmed yet. */
export interface MfaEnrollment {
  /** Base32. */
  readonly secret: string;
  readonly startedAt: EpochMs;
}

/** Second factors, within a transaction of system scope. Unknown users have no factor and no enrollment. */
export interface MfaWriter {
  /** Null if there is no factor. Locks the user until the transaction ends. */
  findFactor(userId: UserId): Promise<MfaFactor | null>;
  /** Uses up a time step. True if no later or equal step was used, so a code works only once. */
  takeStep(userId: UserId, step: number): Promise<boolean>;
  /** True if the code was unused; uses it up. */
  takeRecoveryCode(userId: UserId, codeSha256: string): Promise<boolean>;
  /** By SHA-256. Only for active users. */
  replaceRecoveryCodes(userId: UserId, codeSha256s: readonly string[]): Promise<void>;
  /** Replaces an unfinished enrollment. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  /** However old; null if there is none. */
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Removes app, passkeys, recovery codes and enrollment, and voids earlier verifications. False if there was no
   * factor.
   */
  removeFactor(userId: UserId): Promise<boolean>;
  /**
   * Makes the enrollment's secret the factor, with `step` as the last one used and only these recovery codes. Returns
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
