/** Custom fields of every kind of owner around one tenant. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { aCustomField, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

/** Fields of the first organization, of the second one, and of their partner. */
export interface OwnedFields {
  readonly tenant: Tenant;
  readonly own: CustomFieldRecord;
  readonly neighbours: CustomFieldRecord;
  readonly shared: CustomFieldRecord;
}

export const ofOrg = (orgId: OrgId): Owner => ({ kind: 'organization', orgId });
export const ofPartner = ({ partnerId }: Tenant): Owner => ({ kind: 'partner', partnerId });

/** A tenant with two organizations, loaded with a field for each owner. */
export async function loadOwnedFields(backend: ContractBackend): Promise<OwnedFields> {
  const tenant = await createTenant(backend, 2);
  const [one, two] = tenant.orgIds as [OrgId, OrgId];
  const own = aCustomField({ owner: ofOrg(one), key: 'b', type: 'dropdown', choices: ['x', 'y'] });
  const neighbours = aCustomField({ owner: ofOrg(two), key: 'b', type: 'number' });
  const shared = aCustomField({ owner: ofPartner(tenant), key: 'a', type: 'date' });
  await loadFleet(backend, [shared, neighbours, own]);
  return { tenant, own, neighbours, shared };
}

type FieldName = 'own' | 'neighbours' | 'shared';

/** What callers of each kind see of them by key, then id, and whose they may change. */
export const REACHES: readonly (readonly [
  name: string,
  scopeOf: (tenant: Tenant) => AccessScope,
  sees: readonly FieldName[],
  changes: readonly FieldName[],
])[] = [
  ['the organization', ({ orgId }) => orgScope(orgId), ['shared', 'own'], ['own']],
  [
    'a subset of the partner',
    ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
    ['shared', 'own'],
    ['own'],
  ],
  [
    'the whole partner',
    ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds),
    ['shared', 'own', 'neighbours'],
    ['shared', 'own', 'neighbours'],
  ],
  [
    'the partner without an organization',
    ({ partnerId }) => partnerScope(partnerId, []),
    ['shared'],
    ['shared'],
  ],
  [
    'an empty subset of the partner',
    ({ partnerId }) => ({ kind: 'partner', partnerId, orgIds: [], isWhole: false }),
    [],
    [],
  ],
  ['nobody', () => ({ kind: 'none' }), [], []],
  ['the system', () => SYSTEM_SCOPE, ['shared', 'own', 'neighbours'], ['shared', 'own', 'neighbours']],
];
