import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** The owner, or the fault: exactly one of the two must be present. */
export function readOwner(orgId: OrgId | null, partnerId: PartnerId | null): Result<Owner, string> {
  if (orgId !== null && partnerId !== null) return err('must have orgId or partnerId, not both');
  if (orgId !== null) return ok({ kind: 'organization', orgId });
  if (partnerId !== null) return ok({ kind: 'partner', partnerId });
  return err('must have orgId or partnerId');
}
