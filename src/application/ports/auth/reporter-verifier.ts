/** Finds out which enrolment key a machine shows (Contract: §13). */
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';

/** Null if the key is unknown, expired or revoked. Rejects if keys cannot be read. */
export interface ReporterVerifier {
  /** As things were at most one second ago. */
  recognize(key: string): Promise<EnrolmentKey | null>;
  /** As things are now. */
  confirm(key: string): Promise<EnrolmentKey | null>;
}
