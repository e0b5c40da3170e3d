/**
 * The tenants of API tests: two partners with organizations, all kinds of callers, and devices with canaries.
 * Partner P has the organizations A, B and D (D is empty), partner Q has C.
 */
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anApiKey,
  anOrganization,
  aPartner,
  aUser,
  newId,
} from '#test/support/builders.ts';

/** The organizations of the tenants, by name. */
export type OrgName = 'A' | 'B' | 'C' | 'D';

export const USER_NAMES = [
  'system',
  'P-all',
  'P-subset',
  'P-none',
  'Q-all',
  'A-admin',
  'A-user',
  'B-user',
  'C-user',
  'disabled',
] as const;
export type UserName = (typeof USER_NAMES)[number];

export const KEY_NAMES = [
  'key-system',
  'key-A',
  'key-A-to-C',
  'key-P',
  'key-P-to-A',
  'key-P-to-C',
  'key-expired',
] as const;
export type KeyName = (typeof KEY_NAMES)[number];

/** A text in everything of an organization. No answer to a caller who does not reach it may contain it. */
export function canaryOf(org: OrgName): string {
  return `canary-${org.toLowerCase()}-7f3a`;
}

/** New tenants with new ids. Load `records` before use. */
export function makeTenants() {
  const p = aPartner({ name: 'Partner P' });
  const q = aPartner({ name: 'Partner Q' });
  const organization = (name: OrgName, partnerId: PartnerId) =>
    anOrganization({ partnerId, name: `Organization ${name}` });
  const orgs = {
    A: organization('A', p.id),
    B: organization('B', p.id),
    C: organization('C', q.id),
    D: organization('D', p.id),
  };
  const orgIds: Readonly<Record<OrgName, OrgId>> = {
    A: orgs.A.id,
    B: orgs.B.id,
    C: orgs.C.id,
    D: orgs.D.id,
  };
  const partner = (partnerId: PartnerId, subset: readonly OrgId[] | null) =>
    aUser({ membership: { scope: 'partner', partnerId, orgIds: subset } });
  const staff = (org: OrgName) => aUser({ membership: { scope: 'organization', orgId: orgIds[org] } });
  const users = {
    system: aUser(),
    'P-all': partner(p.id, null),
    'P-subset': partner(p.id, [orgIds.A]),
    'P-none': partner(p.id, []),
    'Q-all': partner(q.id, null),
    'A-admin': aUser({
      membership: { scope: 'organization', orgId: orgIds.A },
      permissions: ['users:write'],
      isPlatformAdmin: true,
    }),
    'A-user': staff('A'),
    'B-user': staff('B'),
    'C-user': staff('C'),
    disabled: staff('A'),
  };
  const keys = {
    'key-system': anApiKey({ userId: users.system.id }),
    'key-A': anApiKey({ userId: users['A-user'].id }),
    // Such a key is left over when a user moves from C to A.
    'key-A-to-C': anApiKey({ userId: users['A-user'].id, orgId: orgIds.C }),
    'key-P': anApiKey({ userId: users['P-all'].id }),
    'key-P-to-A': anApiKey({ userId: users['P-all'].id, orgId: orgIds.A }),
    'key-P-to-C': anApiKey({ userId: users['P-all'].id, orgId: orgIds.C }),
    'key-expired': anApiKey({ userId: users['A-user'].id, expiresAt: Date.UTC(2020, 0, 1) }),
  };
  const device = (org: OrgName, number: number) =>
    aDevice({
      orgId: orgIds[org],
      hostname: `${canaryOf(org)}-${number}`,
      displayName: `Device ${number} of ${org}`,
      lastUser: canaryOf(org),
      tags: [canaryOf(org), 'everywhere'],
      custom: new Map([[`of_${org.toLowerCase()}`, canaryOf(org)]]),
    });
  const devices = [
    device('A', 1),
    device('A', 2),
    device('A', 3),
    device('B', 1),
    device('B', 2),
    device('C', 1),
  ];
  const filter = (org: OrgName, createdBy: UserName) =>
    aFilter({
      orgId: orgIds[org],
      createdBy: users[createdBy].id,
      name: `Filter ${canaryOf(org)}`,
      description: canaryOf(org),
      conditions: {
        operator: 'AND',
        conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
      },
    });
  const filters = { A: filter('A', 'A-user'), B: filter('B', 'B-user'), C: filter('C', 'C-user') };
  const customFields = (['A', 'B', 'C'] as const).map((org) =>
    aCustomField({
      owner: { kind: 'organization', orgId: orgIds[org] },
      key: `of_${org.toLowerCase()}`,
      name: canaryOf(org),
    }),
  );
  const partnerFields = [
    aCustomField({ owner: { kind: 'partner', partnerId: p.id }, key: 'of_p', type: 'number', name: 'Of P' }),
    aCustomField({ owner: { kind: 'partner', partnerId: q.id }, key: 'of_q', type: 'date', name: 'Of Q' }),
  ];
  const records: readonly FleetRecord[] = [
    p,
    q,
    ...Object.values(orgs),
    ...Object.values(users),
    ...Object.values(keys),
    ...devices,
    ...Object.values(filters),
    ...customFields,
    ...partnerFields,
  ];
  return {
    partnerIds: { P: p.id, Q: q.id },
    orgIds,
    users,
    keys,
    devices,
    filters,
    records,
    unknownId: newId(),
  };
}

export type Tenants = ReturnType<typeof makeTenants>;
