/** Creates organizations for `org create` (Contract: §15). */
import type { MakeSystemEntry } from '#application/audit/make-entry.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import {
  decideOrganization,
  type OrganizationRefusal,
  type WantedOrganization,
} from '#domain/fleet/decide-organization.ts';
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface CreatedOrganization {
  readonly organization: Omit<OrganizationRecord, 'kind'>;
  /** Null if the partner already existed. */
  readonly newPartner: Omit<PartnerRecord, 'kind'> | null;
}

/** Also creates the partner if none has the name. Concurrent calls take turns, so nothing is created twice. */
export type CreateOrganization = (
  wanted: WantedOrganization,
) => Promise<Result<CreatedOrganization, OrganizationRefusal>>;

export interface CreateOrganizationDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeSystemEntry;
  readonly newId: IdGenerator;
}

export function makeCreateOrganization({
  unitOfWork,
  makeEntry,
  newId,
}: CreateOrganizationDeps): CreateOrganization {
  return (wanted) =>
    unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<CreatedOrganization, OrganizationRefusal>> => {
      const decided = decideOrganization(await tx.tenants.hold(), wanted);
      if (!decided.ok) return err(decided.error);
      const { name, partner } = decided.value;
      const partnerId = 'id' in partner ? partner.id : newId<'partner'>();
      const newPartner = 'id' in partner ? null : { id: partnerId, name: partner.newName };
      if (newPartner !== null) {
        await tx.tenants.addPartner(newPartner);
        const facts = { resourceId: partnerId, orgId: null, partnerId, details: {} };
        await tx.audit(makeEntry({ action: 'partner.created', ...facts }));
      }
      const organization = { id: newId<'organization'>(), partnerId, name };
      await tx.tenants.addOrganization(organization);
      const { id } = organization;
      await tx.audit(
        makeEntry({ action: 'organization.created', resourceId: id, orgId: id, partnerId, details: {} }),
      );
      return ok({ organization, newPartner });
    });
}
