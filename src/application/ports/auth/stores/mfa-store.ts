/** Second factors; used within a transaction of system scope. */
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** The confirmed second factor of a user; each has at most one. */
export interface MfaFactor {
  /** TOTP secret, base32. */
  readonly secret: string;
  /** Grows with every new factor of the user, so that verifications by an earlier one are void. */
  readonly epoch: number;
}

/** A factor that its user has not confirmed yet. */
export interface MfaEnrollment {
  /** TOTP secret, base32. */
  readonly secret: string;
  readonly startedAt: EpochMs;
}

/** A user who does not exist has no factor and no enrollment. */
export interface MfaWriter {
  /** The user's factor, or null if they have none. Locks the user until the transaction ends. */
  findFactor(userId: UserId): Promise<MfaFactor | null>;
  /** Uses up a time step: true if it is later than every step used before, so that a code works only once. */
  takeStep(userId: UserId, step: number): Promise<boolean>;
  /** Uses up one of the user's recovery codes, by its SHA-256: true if it was unused. */
  takeRecoveryCode(userId: UserId, codeSha256: string): Promise<boolean>;
  /** Makes these, by their SHA-256, the only recovery codes of an active user. */
  replaceRecoveryCodes(userId: UserId, codeSha256s: readonly string[]): Promise<void>;
  /** Starts an enrollment, replacing any unfinished one. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  /** The user's unfinished enrollment, however old, or null. */
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Takes the factor, with its recovery codes and any enrollment, from an active user, whose earlier verifications are
   * void from then on. False, without any change, if they have none.
   */
  removeFactor(userId: UserId): Promise<boolean>;
  /**
   * Ends the enrollment and makes its secret the user's factor, with `step` as the last one used and these recovery
   * codes as the only ones. Gives the factor's epoch.
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
