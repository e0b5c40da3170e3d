import { describe, expect, test } from 'vitest';
import { assertNever } from '#domain/assert-never.ts';
import type { FleetRecord, Membership, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { ofKind, RECORDS } from './fixed-demo.ts';

const KIND_BY_ID = new Map<string, FleetRecord['kind']>(RECORDS.map(({ id, kind }) => [id, kind]));
const PARTNER_OF = new Map(ofKind('organization').map(({ id, partnerId }) => [id, partnerId]));

test('every reference is to a record of the right kind', () => {
  const dangling = RECORDS.flatMap((record) =>
    references(record).filter(([kind, id]) => KIND_BY_ID.get(id) !== kind),
  );
  expect(dangling).toStrictEqual([]);
});

test('a record comes after the records that it refers to', () => {
  const seen = new Set<string>();
  const early = RECORDS.filter((record) => {
    const missing = references(record).some(([, id]) => !seen.has(id));
    seen.add(record.id);
    return missing;
  });
  expect(early).toStrictEqual([]);
});

describe('tenancy', () => {
  test('devices stand at sites of their own organization', () => {
    const orgOfSite = new Map(ofKind('site').map(({ id, orgId }) => [id, orgId]));
    const astray = ofKind('device').filter(
      ({ siteId, orgId }) => siteId !== null && orgOfSite.get(siteId) !== orgId,
    );
    expect(astray).toStrictEqual([]);
  });

  test('alerts are about devices of their own organization', () => {
    const orgOfDevice = new Map(ofKind('device').map(({ id, orgId }) => [id, orgId]));
    const astray = ofKind('alert').filter(
      ({ deviceId, orgId }) => deviceId !== null && orgOfDevice.get(deviceId) !== orgId,
    );
    expect(astray).toStrictEqual([]);
  });

  test('filters were created by somebody who reaches their organization', () => {
    const users = new Map(ofKind('user').map(({ id, membership }) => [id, membership]));
    const astray = ofKind('filter').filter(({ createdBy, orgId }) => {
      const membership = users.get(createdBy);
      return membership === undefined || orgId === null || !reaches(membership, orgId);
    });
    expect(astray).toStrictEqual([]);
  });

  test('the organizations that a partner user is limited to belong to that partner', () => {
    const astray = ofKind('user').filter(
      ({ membership }) =>
        membership.scope === 'partner' &&
        membership.orgIds?.some((orgId) => PARTNER_OF.get(orgId) !== membership.partnerId),
    );
    expect(astray).toStrictEqual([]);
  });

  test('a narrowed key is limited to an organization that its user reaches', () => {
    const users = new Map(ofKind('user').map(({ id, membership }) => [id, membership]));
    const astray = ofKind('apiKey').filter(({ userId, orgId }) => {
      const membership = users.get(userId);
      return orgId !== null && (membership === undefined || !reaches(membership, orgId));
    });
    expect(astray).toStrictEqual([]);
  });
});

function reaches(membership: Membership, orgId: OrgId): boolean {
  switch (membership.scope) {
    case 'system':
      return true;
    case 'organization':
      return membership.orgId === orgId;
    case 'partner':
      return membership.orgIds?.includes(orgId) ?? PARTNER_OF.get(orgId) === membership.partnerId;
    default:
      return assertNever(membership);
  }
}

type Reference = readonly [kind: FleetRecord['kind'], id: string];

function references(record: FleetRecord): readonly Reference[] {
  switch (record.kind) {
    case 'partner':
      return [];
    case 'organization':
      return [['partner', record.partnerId]];
    case 'site':
      return [['organization', record.orgId]];
    case 'user':
      return membershipReferences(record.membership);
    case 'apiKey':
      return [['user', record.userId], ...optional('organization', record.orgId)];
    case 'customField':
    case 'script':
      return [ownerReference(record.owner)];
    case 'device':
      return [['organization', record.orgId], ...optional('site', record.siteId)];
    case 'alert':
      return [['organization', record.orgId], ...optional('device', record.deviceId)];
    case 'filter':
      return [
        ...optional('organization', record.orgId),
        ...optional('partner', record.partnerId),
        ['user', record.createdBy],
      ];
    case 'enrolmentKey':
    case 'deletionRequest':
    case 'auditEntry':
      throw new Error(`the demo has a record of kind ${record.kind}`);
    default:
      return assertNever(record);
  }
}

function membershipReferences(membership: Membership): readonly Reference[] {
  switch (membership.scope) {
    case 'system':
      return [];
    case 'organization':
      return [['organization', membership.orgId]];
    case 'partner':
      return [
        ['partner', membership.partnerId],
        ...(membership.orgIds ?? []).map((orgId) => ['organization', orgId] as const),
      ];
    default:
      return assertNever(membership);
  }
}

function ownerReference(owner: Owner): Reference {
  return owner.kind === 'partner' ? ['partner', owner.partnerId] : ['organization', owner.orgId];
}

function optional(kind: FleetRecord['kind'], id: string | null): readonly Reference[] {
  return id === null ? [] : [[kind, id]];
}
