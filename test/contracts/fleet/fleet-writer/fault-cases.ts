/** Faulty fleets, and where their faults are. */
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anOrganization,
  aScript,
  aSite,
  aUser,
  newId,
} from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import type { Furnished } from './write-fleet.ts';

/** The records after a good one, on lines 2 and up, and the places of the faults in them. */
export type FaultCase = readonly [
  string,
  (own: Furnished, other: Furnished) => readonly FleetRecord[],
  readonly string[],
];

export const FAULT_CASES: readonly FaultCase[] = [
  [
    'an organization of an unknown partner',
    () => [anOrganization({ partnerId: newId() })],
    ['2 organization.partnerId'],
  ],
  ['a site of an unknown organization', () => [aSite({ orgId: newId() })], ['2 site.orgId']],
  [
    'a user of an unknown organization',
    () => [aUser({ membership: { scope: 'organization', orgId: newId() } })],
    ['2 user.orgId'],
  ],
  [
    'a user of an unknown partner',
    () => [aUser({ membership: { scope: 'partner', partnerId: newId(), orgIds: null } })],
    ['2 user.partnerId'],
  ],
  [
    'a user whose subset has unknown organizations',
    ({ partnerId, orgId }) => [
      aUser({ membership: { scope: 'partner', partnerId, orgIds: [newId(), orgId, newId()] } }),
    ],
    ['2 user.orgIds[0]', '2 user.orgIds[2]'],
  ],
  [
    "a user whose subset has another partner's organization",
    ({ partnerId, orgId }, other) => [
      aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId, other.orgId] } }),
    ],
    ['2 user.orgIds[1]'],
  ],
  [
    'a title of software with a name that is too long',
    ({ orgId }) => [
      aDevice({
        orgId,
        software: ['x'.repeat(1_024), 'x'.repeat(1_025)].map((name) => ({ name, version: null })),
      }),
    ],
    ['2 device.software[1].name'],
  ],
  ['an API key of an unknown user', () => [anApiKey({ userId: newId() })], ['2 apiKey.userId']],
  [
    'an API key for an unknown organization',
    ({ userId }) => [anApiKey({ userId, orgId: newId() })],
    ['2 apiKey.orgId'],
  ],
  [
    'a custom field of an unknown organization',
    () => [aCustomField({ owner: { kind: 'organization', orgId: newId() }, key: 'a' })],
    ['2 customField.orgId'],
  ],
  [
    'a custom field of an unknown partner',
    () => [aCustomField({ owner: { kind: 'partner', partnerId: newId() }, key: 'a' })],
    ['2 customField.partnerId'],
  ],
  ['a device of an unknown organization', () => [aDevice({ orgId: newId() })], ['2 device.orgId']],
  ['a device at an unknown site', ({ orgId }) => [aDevice({ orgId, siteId: newId() })], ['2 device.siteId']],
  [
    "a device at another organization's site",
    ({ orgId }, other) => [aDevice({ orgId, siteId: other.site.id })],
    ['2 device.siteId'],
  ],
  [
    'a script of an unknown organization',
    () => [aScript({ owner: { kind: 'organization', orgId: newId() } })],
    ['2 script.orgId'],
  ],
  [
    'a script of an unknown partner',
    () => [aScript({ owner: { kind: 'partner', partnerId: newId() } })],
    ['2 script.partnerId'],
  ],
  ['an alert of an unknown organization', () => [anAlert({ orgId: newId() })], ['2 alert.orgId']],
  [
    'an alert about an unknown device',
    ({ orgId }) => [anAlert({ orgId, deviceId: newId() })],
    ['2 alert.deviceId'],
  ],
  [
    "an alert about another organization's device",
    ({ orgId }, other) => [anAlert({ orgId, deviceId: other.device.id })],
    ['2 alert.deviceId'],
  ],
  [
    'a filter of an unknown organization',
    ({ userId }) => [aFilter({ orgId: newId(), createdBy: userId })],
    ['2 filter.orgId'],
  ],
  [
    'every fault of a filter',
    ({ orgId, userId }) => [
      aFilter({
        orgId,
        createdBy: userId,
        conditions: and(
          { field: 'hostnam', operator: 'equals', value: 'x' },
          { field: 'status', operator: 'contains', value: 'on' },
          { field: 'hostname', operator: 'matches', value: 'a(' },
        ),
      }),
    ],
    [
      '2 filter.conditions.conditions[0].field',
      '2 filter.conditions.conditions[1].operator',
      '2 filter.conditions.conditions[2].value',
    ],
  ],
  [
    'a filter with a regular expression that is refused',
    ({ orgId, userId }) => [
      aFilter({
        orgId,
        createdBy: userId,
        conditions: and({ field: 'hostname', operator: 'matches', value: 'a(' }),
      }),
    ],
    ['2 filter.conditions.conditions[0].value'],
  ],
  [
    'a filter out of a dump that is none',
    ({ orgId, userId }) => [
      aFilter({
        orgId,
        createdBy: userId,
        version: 2,
        conditions: { operator: 'AND', conditions: [{ operator: 'OR', conditions: [] }] },
      }),
    ],
    ['2 filter.conditions.conditions[0].conditions'],
  ],
  [
    "a filter on another organization's custom field",
    ({ orgId, userId }, other) => [
      aCustomField({ owner: { kind: 'organization', orgId: other.orgId }, key: 'theirs' }),
      aFilter({
        orgId,
        createdBy: userId,
        conditions: and({ field: 'custom.theirs', operator: 'isNull' }),
      }),
    ],
    ['3 filter.conditions.conditions[0].field'],
  ],
  [
    'a filter on a custom field that the same fleet changes',
    ({ orgId, userId, records }) => [
      ...records
        .filter(({ kind }) => kind === 'customField')
        .map((field) => ({ ...field, type: 'boolean' }) as FleetRecord),
      aFilter({
        orgId,
        createdBy: userId,
        conditions: and({ field: 'custom.seats', operator: 'contains', value: 'x' }),
      }),
    ],
    ['3 filter.conditions.conditions[0].operator'],
  ],
  [
    'two records with one id',
    ({ orgId }) => {
      const device = aDevice({ orgId });
      return [device, aDevice({ orgId }), { ...device }];
    },
    ['4 device.id'],
  ],
  [
    'two users with one email, in whatever case',
    () => {
      const user = aUser();
      return [user, aUser({ email: user.email.toUpperCase() })];
    },
    ['3 user.email'],
  ],
  [
    'two API keys that are the same',
    ({ userId }) => {
      const key = anApiKey({ userId });
      return [key, anApiKey({ userId, key: key.key })];
    },
    ['3 apiKey.key'],
  ],
  [
    'a second custom field of one owner with one key',
    ({ orgId }) => [aCustomField({ owner: { kind: 'organization', orgId }, key: 'seats' })],
    ['2 customField.key'],
  ],
  [
    'two patches with one id, of one device or of two',
    ({ orgId }) => {
      const patch = { id: newId<'patch'>(), title: 'KB1', status: 'pending' } as const;
      return [aDevice({ orgId, patches: [patch, { ...patch }] }), aDevice({ orgId, patches: [patch] })];
    },
    ['2 device.patches[1].id', '3 device.patches[0].id'],
  ],
  ["another organization's site", ({ orgId }, other) => [aSite({ id: other.site.id, orgId })], ['2 site.id']],
  [
    "another organization's device",
    ({ orgId }, other) => [aDevice({ id: other.device.id, orgId })],
    ['2 device.id'],
  ],
  [
    "another organization's alert, script, filter and custom field",
    ({ orgId, userId }, other) =>
      other.records.flatMap((record): readonly FleetRecord[] => {
        const owner = { kind: 'organization', orgId } as const;
        if (record.kind === 'alert') return [anAlert({ id: record.id, orgId })];
        if (record.kind === 'script') return [aScript({ id: record.id, owner })];
        if (record.kind === 'filter') return [aFilter({ id: record.id, orgId, createdBy: userId })];
        if (record.kind === 'customField') return [aCustomField({ id: record.id, owner, key: 'other' })];
        return [];
      }),
    ['2 customField.id', '3 script.id', '4 alert.id', '5 filter.id'],
  ],
  [
    'a filter of an unknown partner',
    ({ userId }) => [aFilter({ orgId: null, partnerId: newId(), createdBy: userId })],
    ['2 filter.partnerId'],
  ],
  [
    'a filter that goes from an organization to its partner',
    ({ partnerId, userId, records }) =>
      records
        .filter(({ kind }) => kind === 'filter')
        .map(({ id }) => aFilter({ id: id as never, orgId: null, partnerId, createdBy: userId })),
    ['2 filter.id'],
  ],
  [
    "a partner's filter on a custom field that has two types in its organizations",
    ({ orgId, partnerId, userId }) => {
      const second = anOrganization({ partnerId });
      const berths = (owner: typeof orgId, type: 'text' | 'number') =>
        aCustomField({ owner: { kind: 'organization', orgId: owner }, key: 'berths', type });
      const conditions = and({ field: 'custom.berths', operator: 'isNull' });
      const wide = aFilter({ orgId: null, partnerId, createdBy: userId, conditions });
      return [second, berths(orgId, 'text'), berths(second.id, 'number'), wide];
    },
    ['5 filter.conditions.conditions[0].field'],
  ],
  [
    'a script that goes from an organization to its partner',
    ({ partnerId, records }) =>
      records
        .filter(({ kind }) => kind === 'script')
        .map(({ id }) => aScript({ id: id as never, owner: { kind: 'partner', partnerId } })),
    ['2 script.id'],
  ],
  [
    'one fault in each of several records',
    ({ orgId }) => [aDevice({ orgId: newId() }), aDevice({ orgId }), anAlert({ orgId: newId() })],
    ['2 device.orgId', '4 alert.orgId'],
  ],
];
