import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A user's confirmed second factors: an authenticator app, passkeys or both. */
export interface MfaFactor {
  /** The authenticator app's, in base32; null if the user has only passkeys. */
  readonly secret: string | null;
  /** Increases with every new app and with the loss of the last factor, which voids earlier verifications. */
  readonly epoch: number;
}

/** A factor that is not confirmed yet. */
export interface MfaEnrollment {
  /** Base32. */
  readonly secret: string;
  readonly startedAt: EpochMs;
}

/** Second factors, within a transaction of system scope. Unknown users have no factor and no enrollment. */
export interface MfaWriter {
  /** The user's factors, or null if there is none. Locks the user until the transaction ends. */
  findFactor(userId: UserId): Promise<MfaFactor | null>;
  /** Uses up a time step. True if it is later than all used before, so a code works only once. */
  takeStep(userId: UserId, step: number): Promise<boolean>;
  /** Uses up a recovery code by its SHA-256. True if it was unused. */
  takeRecoveryCode(userId: UserId, codeSha256: string): Promise<boolean>;
  /** Replaces an active user's recovery codes with these, given by SHA-256. */
  replaceRecoveryCodes(userId: UserId, codeSha256s: readonly string[]): Promise<void>;
  /** Replaces any unfinished enrollment. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  /** The unfinished enrollment, however old, or null. */
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Removes the user's app, passkeys, recovery codes and enrollment, and voids earlier verifications. Whether there was a
   * factor.
   */
  removeFactor(userId: UserId): Promise<boolean>;
  /**
   * Ends the enrollment and makes its secret the factor, with `step` as the last one used and only these recovery
   * codes. Returns the factor's epoch.
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
