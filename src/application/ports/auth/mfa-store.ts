/** Second factors, within a transaction of system scope. */
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface MfaFactor {
  /** TOTP secret, base32. */
  readonly secret: string;
  /** Moves on with the factor. */
  readonly epoch: number;
}

/** A factor that its user has not yet proved to hold. */
export interface MfaEnrollment {
  readonly secret: string;
  readonly startedAt: EpochMs;
}

export interface MfaWriter {
  /** The user's factor, or null where there is none; the user is held until the transaction ends. */
  findFactor(userId: UserId): Promise<MfaFactor | null>;
  /** Accepts the code of a time step: true once, and for no step that is not after the last one accepted. */
  takeStep(userId: UserId, step: number): Promise<boolean>;
  /** Accepts a recovery code, by its SHA-256: true once. */
  takeRecoveryCode(userId: UserId, codeSha256: string): Promise<boolean>;
  /** Begins an enrollment, in the place of any that was begun. */
  startEnrollment(userId: UserId, enrollment: MfaEnrollment): Promise<void>;
  findEnrollment(userId: UserId): Promise<MfaEnrollment | null>;
  /**
   * Makes the enrollment's secret the user's factor, with `step` as the last one accepted and these recovery codes
   * and no others. Gives the new epoch.
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
