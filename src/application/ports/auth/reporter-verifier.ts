import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';

/**
 * Finds the enrolment key that a machine sends (Contract: §13). Null if unknown, expired or revoked. Rejects if keys
 * cannot be read.
 */
export interface ReporterVerifier {
  /** At most one second old. */
  recognize(key: string): Promise<EnrolmentKey | null>;
  /** The current state. */
  confirm(key: string): Promise<EnrolmentKey | null>;
}
