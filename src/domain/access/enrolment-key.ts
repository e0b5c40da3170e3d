/** Enrolment keys let machines report to one organization (Contract: §13). */
import type { EnrolmentKeyId, OrgId, SiteId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A key without its secret. */
export interface EnrolmentKey {
  readonly id: EnrolmentKeyId;
  readonly orgId: OrgId;
  /** The site of machines that report with the key. */
  readonly siteId: SiteId | null;
  readonly name: string;
  /** Null if never. */
  readonly expiresAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** `fse_` followed by 32 random bytes in base64url. */
export const ENROLMENT_KEY_FORMAT = /^fse_[A-Za-z0-9_-]{43}$/;

/** Whether machines may report with the key at `now`. Stores never find a revoked one. */
export function isInForce({ expiresAt }: EnrolmentKey, now: EpochMs): boolean {
  return expiresAt === null || expiresAt > now;
}
