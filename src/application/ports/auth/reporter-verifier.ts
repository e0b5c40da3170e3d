import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';

/**
 * Finds the enrolment key that a machine sends (Contract: §13). Null if the key is unknown, expired or revoked. Rejects
 * if keys cannot be read.
 */
export interface ReporterVerifier {
  /** The answer may be up to one second old. */
  recognize(key: string): Promise<EnrolmentKey | null>;
  /** Reads the current state. */
  confirm(key: string): Promise<EnrolmentKey | null>;
}
