/** Enrolment keys: with one, machines report to one organization, and to a site of it (Contract: §13). */
import type { EnrolmentKeyId, OrgId, SiteId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A key without its secret. */
export interface EnrolmentKey {
  readonly id: EnrolmentKeyId;
  readonly orgId: OrgId;
  /** Of the organization; where the machines are that report with it. */
  readonly siteId: SiteId | null;
  readonly name: string;
  /** null: never. */
  readonly expiresAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** `fse_` followed by 32 random bytes in base64url, so that it stands in a URL as it is. */
export const ENROLMENT_KEY_FORMAT = /^fse_[A-Za-z0-9_-]{43}$/;

/** Whether machines may report with it at `now`. A revoked key is not among those that a store finds. */
export function isInForce({ expiresAt }: EnrolmentKey, now: EpochMs): boolean {
  return expiresAt === null || expiresAt > now;
}
