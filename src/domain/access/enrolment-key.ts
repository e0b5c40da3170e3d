/** An enrolment key lets machines report to one organization (Contract: §13). */
import type { EnrolmentKeyId, OrgId, SiteId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A stored key, without its secret. */
export interface EnrolmentKey {
  readonly id: EnrolmentKeyId;
  readonly orgId: OrgId;
  /** The site of the machines that report with this key. */
  readonly siteId: SiteId | null;
  readonly name: string;
  readonly expiresAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** `fse_` and 32 random bytes in base64url. */
export const ENROLMENT_KEY_FORMAT = /^fse_[A-Za-z0-9_-]{43}$/;

/** Whether the key has not expired. Stores do not return revoked keys. */
export function isInForce({ expiresAt }: EnrolmentKey, now: EpochMs): boolean {
  return expiresAt === null || expiresAt > now;
}
