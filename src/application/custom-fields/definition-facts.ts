import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';

/** The audited facts of a custom field. */
export function definitionFacts({
  owner,
  key,
  type,
}: CustomFieldRecord): Required<Pick<ActionFacts, 'orgId' | 'partnerId' | 'details'>> {
  return {
    orgId: owner.kind === 'organization' ? owner.orgId : null,
    partnerId: owner.kind === 'partner' ? owner.partnerId : null,
    details: { key, type },
  };
}
