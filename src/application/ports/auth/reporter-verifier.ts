import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';

/**
 * Finds a machine's enrolment key (Contract: §13). Null if it is unknown, expired or revoked. Rejects if keys cannot
 * be read.
 */
export interface ReporterVerifier {
  /** At most one second old. */
  recognize(key: string): Promise<EnrolmentKey | null>;
  /** Current state. */
  confirm(key: string): Promise<EnrolmentKey | null>;
}
