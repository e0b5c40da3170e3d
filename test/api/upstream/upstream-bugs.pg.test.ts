/** Inputs that break the upstream product (research: field.md, 3a to 3c), each with what is right. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import {
  databaseOf,
  FILTERS,
  filterOf,
  hostnamesOf,
  type NewOrg,
  PREVIEW,
  previewOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import {
  aCustomField,
  aDevice,
  anOrganization,
  aPartner,
  aUser,
  fixedClock,
  newId,
} from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const NOW = Date.UTC(2026, 1, 1, 15);
const DAY_MS = 86_400_000;
const VALUE = 'conditions.conditions[0].value';

let service: TestService;
/** An organization without devices, for what is refused whatever there is, and a good filter of it. */
let empty: NewOrg;
let goodId: string;

beforeAll(async () => {
  service = await startService({ overrides: { clock: fixedClock(NOW) } });
  // Of S16 and S17: no answer may depend on the zone that the server happens to be in.
  await databaseOf(service).owner.query(
    `do $$ begin execute format('alter database %I set timezone = ''Asia/Kolkata''', current_database()); end $$`,
  );
  empty = await service.inNewOrg(() => []);
  const good = await empty.ask('POST', FILTERS, {
    name: 'Good',
    conditions: and(is('hostname', 'isNotNull')),
  });
  goodId = filterOf(good).id;
});
afterAll(() => service.close());

type Given = Partial<DeviceRecord> & { readonly hostname: string };

/** An organization with these devices. */
const withDevices = (...devices: readonly Given[]): Promise<NewOrg> =>
  service.inNewOrg((orgId) => devices.map((device) => aDevice({ orgId, ...device })));

const is = (field: string, operator: string, value?: unknown) => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});
const and = (...conditions: readonly object[]) => ({ operator: 'AND', conditions });
const invalid = (...places: readonly (readonly [string, string])[]) => [400, 'validation_failed', ...places];
const badValue = invalid([VALUE, 'invalid_value']);

/** Creates, previews and updates with one condition: what all three answer, which is the same. */
async function refusedEverywhere(condition: object): Promise<unknown> {
  const { ask } = empty;
  const conditions = and(condition);
  const refusals = [
    refusalOf(await ask('POST', FILTERS, { name: 'Bad', conditions })),
    refusalOf(await ask('POST', PREVIEW, { conditions })),
    refusalOf(await ask('PATCH', `${FILTERS}/${goodId}`, { conditions })),
  ];
  expect(refusals[1]).toStrictEqual(refusals[0]);
  expect(refusals[2]).toStrictEqual(refusals[0]);
  return refusals[0];
}

/** What is stored of a filter with this condition. */
async function stored(condition: object): Promise<unknown> {
  const { ask } = empty;
  const created = await ask('POST', FILTERS, { name: 'Kept', conditions: and(condition) });
  const read = await ask('GET', `${FILTERS}/${filterOf(created).id}`);
  return filterOf(read).conditions;
}

describe('values and validation', () => {
  test('F1 a list of one is a list, whatever it looks like', async () => {
    const org = await withDevices(
      { hostname: 'srv-1', osVersion: '11', agentVersion: '2.1.3', tags: ['vpn', 'prod-3'] },
      { hostname: 'srv-2' },
    );
    for (const condition of [
      is('hostname', 'in', ['srv-1']),
      is('osVersion', 'in', ['11']),
      is('agentVersion', 'in', ['2.1.3']),
      is('tags', 'hasAny', ['vpn', 'prod-3']),
      is('tags', 'hasAll', ['prod-3']),
    ]) {
      expect(await org.find(condition)).toStrictEqual(['srv-1']);
    }
    expect(await org.find(is('hostname', 'in', ['srv-1', 'srv-2']))).toStrictEqual(['srv-1', 'srv-2']);
  });

  test('F2 a filter is stored as it was accepted', async () => {
    for (const condition of [is('hostname', 'in', ['srv-1']), is('osVersion', 'in', ['11', '2026'])]) {
      expect(await stored(condition)).toStrictEqual(and(condition));
    }
  });

  test('F3 null is no value, and isNull is pointed out', async () => {
    expect(await refusedEverywhere(is('displayName', 'equals', null))).toStrictEqual(badValue);
    const { preview } = empty;
    for (const condition of [
      is('displayName', 'contains', null),
      is('uptimeSeconds', 'greaterThan', null),
      is('lastSeenAt', 'before', null),
      is('isHeadless', 'equals', null),
    ]) {
      expect(problemOf(await preview(condition)).detail).toContain('isNull');
    }
    expect(refusalOf(await preview(is('status', 'equals', null)))).toStrictEqual(badValue);
  });

  test('F4 between on a number is numeric, with numeric strings too', async () => {
    const org = await withDevices(
      { hostname: 'nine', uptimeSeconds: 9 },
      { hostname: 'ten', uptimeSeconds: 10 },
      { hostname: 'fifty', uptimeSeconds: 50 },
      { hostname: 'ninety', uptimeSeconds: 90 },
    );
    for (const value of [
      { from: '10', to: '90' },
      { from: 10, to: 90 },
    ]) {
      expect(await org.find(is('uptimeSeconds', 'between', value))).toStrictEqual(['fifty', 'ninety', 'ten']);
    }
  });

  test.each([[{ from: null, to: null }], [{ from: true, to: false }], [{ from: {}, to: [] }]])(
    'F5 between takes no %j',
    async (value) => {
      for (const field of ['lastSeenAt', 'uptimeSeconds']) {
        expect(await refusedEverywhere(is(field, 'between', value))).toStrictEqual(
          invalid([`${VALUE}.from`, 'invalid_value'], [`${VALUE}.to`, 'invalid_value']),
        );
      }
    },
  );

  test('F6 a value of two shapes is none', async () => {
    const value = { amount: 5, unit: 'days', from: '2026-01-01', to: '2026-02-01' };
    for (const operator of ['between', 'withinLast']) {
      expect(await refusedEverywhere(is('lastSeenAt', operator, value))).toStrictEqual(
        invalid([VALUE, 'value_not_allowed'], [VALUE, 'value_not_allowed']),
      );
    }
  });

  test('F7 a group nested 1,000 and 10,000 deep is created, read and previewed', async () => {
    const org = await withDevices({ hostname: 'deep' });
    for (const depth of [1_000, 10_000]) {
      const tree = `${'{"operator":"AND","conditions":['.repeat(depth)}{"field":"hostname","operator":"equals","value":"deep"}${']}'.repeat(depth)}`;
      const created = await org.ask('POST', FILTERS, `{"name":"Deep","conditions":${tree}}`);
      expect([created.status, created.text.includes(`"conditions":${tree},`)]).toStrictEqual([201, true]);
      expect(hostnamesOf(await org.ask('POST', PREVIEW, `{"conditions":${tree}}`))).toStrictEqual(['deep']);
    }
  });

  test('F8 fields and operators are checked when a filter is saved', async () => {
    expect(await refusedEverywhere(is('nope', 'equals', 'x'))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
    expect(await refusedEverywhere(is('status', 'contains', 'on'))).toStrictEqual(
      invalid(['conditions.conditions[0].operator', 'operator_not_allowed']),
    );
  });

  test.each([
    'agentTokenHash',
    'customFields',
    'managementPosture',
    'hostname_lc',
    'org_id',
    'inventory_id',
    'custom_derived',
    'id',
    'd.hostname',
    'constructor',
    '__proto__',
    'toString',
    'custom.constructor',
    'custom.__proto__',
    'hardware.constructor',
  ])('F9 no column is reached but through the catalogue: %s', async (field) => {
    expect(await refusedEverywhere(is(field, 'startsWith', 'a'))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
  });

  test('F10 a filter that is put in as a file is checked like any other', async () => {
    const { orgId, userId } = empty;
    const record = {
      kind: 'filter',
      id: newId<'filter'>(),
      orgId,
      createdBy: userId,
      name: 'By file',
      description: null,
      conditions: { anything: 'goes' },
    } as const;
    const outcome = await service.composition.backend.fleetWriter([{ record, line: 1, member: 'filter' }]);
    expect(outcome.ok).toBe(false);
    const { rows } = await databaseOf(service).owner.query('select 1 from saved_filter where id = $1', [
      record.id,
    ]);
    expect(rows).toStrictEqual([]);
  });

  test('F11 isNull with a value and equals without one are refused', async () => {
    expect(await refusedEverywhere(is('displayName', 'isNull', 'x'))).toStrictEqual(
      invalid([VALUE, 'value_not_allowed']),
    );
    expect(await refusedEverywhere(is('tags', 'isEmpty', []))).toStrictEqual(
      invalid([VALUE, 'value_not_allowed']),
    );
    expect(await refusedEverywhere(is('displayName', 'equals'))).toStrictEqual(
      invalid([VALUE, 'value_required']),
    );
  });

  test('F12 what is both a condition and a group, or has a member too many, is refused', async () => {
    const both = { ...is('hostname', 'equals', 'x'), conditions: [is('hostname', 'equals', 'y')] };
    expect(await refusedEverywhere(both)).toStrictEqual(
      invalid(
        ['conditions.conditions[0].field', 'ambiguous_node'],
        ['conditions.conditions[0].value', 'ambiguous_node'],
        ['conditions.conditions[0].operator', 'invalid_group_operator'],
      ),
    );
    expect(await refusedEverywhere({ ...and(is('hostname', 'equals', 'x')), not: true })).toStrictEqual(
      invalid(['conditions.conditions[0]', 'unknown_member']),
    );
    expect(await refusedEverywhere({ ...is('hostname', 'equals', 'x'), caseSensitive: false })).toStrictEqual(
      invalid(['conditions.conditions[0]', 'unknown_member']),
    );
  });

  test('F13 a name of white space is none', async () => {
    const { ask } = empty;
    const conditions = and(is('hostname', 'isNotNull'));
    expect(refusalOf(await ask('POST', FILTERS, { name: '   ', conditions }))).toStrictEqual(
      invalid(['name', 'invalid_value']),
    );
    expect(filterOf(await ask('POST', FILTERS, { name: ' a ', conditions })).name).toBe('a');
  });

  test('F14 edits do not overwrite each other, and what changes nothing leaves no trace', async () => {
    const { ask } = empty;
    const created = await ask('POST', FILTERS, { name: 'One', conditions: and(is('hostname', 'isNotNull')) });
    const { id, updatedAt, conditions } = filterOf(created);
    const entries = async () =>
      (
        await databaseOf(service).owner.query<{ fields: unknown }>(
          `select details -> 'fields' as fields from audit_log where resource_id = $1 and action = 'filter.update' order by id`,
          [id],
        )
      ).rows.map(({ fields }) => fields);
    for (const body of [{}, { name: 'One', conditions }]) {
      expect(filterOf(await ask('PATCH', `${FILTERS}/${id}`, body)).updatedAt).toBe(updatedAt);
    }
    expect(await entries()).toStrictEqual([]);
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const first = await ask(
      'PATCH',
      `${FILTERS}/${id}`,
      { name: 'Two', description: null, conditions },
      headers,
    );
    const second = await ask('PATCH', `${FILTERS}/${id}`, { name: 'Three' }, headers);
    expect([first.status, second.status]).toStrictEqual([200, 412]);
    expect(await entries()).toStrictEqual([['name']]);
  });
});

describe('semantics', () => {
  test('S1 hasAny and hasAll work with plain values', async () => {
    const org = await withDevices(
      { hostname: 'x', tags: ['x'] },
      { hostname: 'xz', tags: ['x', 'z'] },
      { hostname: 'none' },
    );
    expect(await org.find(is('tags', 'hasAny', ['x']))).toStrictEqual(['x', 'xz']);
    expect(await org.find(is('tags', 'hasAny', ['q', 'z']))).toStrictEqual(['xz']);
    expect(await org.find(is('tags', 'hasAll', ['x', 'z']))).toStrictEqual(['xz']);
    expect(await org.find(is('tags', 'hasAll', ['x']))).toStrictEqual(['x', 'xz']);
  });

  test('S2 contains on tags is exact membership', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b', tags: ['xx', 'X'] });
    expect(await org.find(is('tags', 'contains', 'x'))).toStrictEqual(['a']);
  });

  test('S3 every device has all of no tags, and none has any of them', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b' });
    expect(await org.find(is('tags', 'hasAll', []))).toStrictEqual(['a', 'b']);
    expect(await org.find(is('tags', 'hasAny', []))).toStrictEqual([]);
  });

  test('S4 a device without tags is in isEmpty', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b' });
    expect(await org.find(is('tags', 'isEmpty'))).toStrictEqual(['b']);
    expect(await org.find(is('tags', 'isNotEmpty'))).toStrictEqual(['a']);
  });

  test('S5 groupId is no field, and ids of sites and organizations are compared as ids', async () => {
    expect(await refusedEverywhere(is('groupId', 'in', [newId()]))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
    const org = await withDevices({ hostname: 'a' });
    expect(await org.find(is('orgId', 'in', [org.orgId]))).toStrictEqual(['a']);
    expect(await org.find(is('orgId', 'in', [newId(), org.orgId]))).toStrictEqual(['a']);
  });

  test('S6 devices without a value are in the negative operators', async () => {
    const org = await withDevices(
      { hostname: 'with', displayName: 'A', lastSeenAt: NOW },
      { hostname: 'without' },
    );
    for (const condition of [
      is('displayName', 'notEquals', 'A'),
      is('displayName', 'notContains', 'a'),
      is('displayName', 'notIn', ['A']),
      is('lastSeenAt', 'notWithinLast', { amount: 30, unit: 'days' }),
    ]) {
      expect(await org.find(condition)).toStrictEqual(['without']);
    }
  });

  test('S7 a boolean is never guessed', async () => {
    const org = await withDevices(
      { hostname: 'yes', isHeadless: true },
      { hostname: 'no', isHeadless: false },
    );
    for (const value of ['yes', 1, 0, '', 'True', 'TRUE', 'no', '1']) {
      expect(refusalOf(await org.preview(is('isHeadless', 'equals', value)))).toStrictEqual(badValue);
    }
    expect(await org.find(is('isHeadless', 'equals', 'true'))).toStrictEqual(['yes']);
    expect(await org.find(is('isHeadless', 'equals', 'false'))).toStrictEqual(['no']);
  });

  test('S8 nor is a capability', async () => {
    const org = await withDevices(
      { hostname: 'pending', patches: [{ id: newId(), title: 'KB1', status: 'pending' }] },
      { hostname: 'patched', patches: [{ id: newId(), title: 'KB1', status: 'installed' }] },
    );
    for (const value of ['No', 'FALSE', 0, 'maybe', undefined]) {
      const answer = await org.preview(is('patches.pending', 'equals', value));
      expect([answer.status, problemOf(answer).errors?.[0]?.path]).toStrictEqual([400, VALUE]);
    }
    expect(await org.find(is('patches.pending', 'equals', 'false'))).toStrictEqual(['patched']);
    expect(await org.find(is('patches.pending', 'equals', true))).toStrictEqual(['pending']);
  });

  test('S9 an empty list of software is never every device', async () => {
    const org = await withDevices(
      { hostname: 'a', software: [{ name: 'Chrome', version: null }] },
      { hostname: 'b' },
    );
    for (const field of ['software.installed', 'software.notInstalled']) {
      for (const operator of ['in', 'hasAny']) {
        expect(await org.find(is(field, operator, []))).toStrictEqual([]);
      }
    }
  });

  test('S10 a negative operator means none of the interfaces', async () => {
    const nic = (ipAddress: string) => ({ ipAddress, publicIp: null, macAddress: null });
    const org = await withDevices(
      { hostname: 'both', network: [nic('10.0.0.1'), nic('10.0.0.2')] },
      { hostname: 'other', network: [nic('10.0.0.2')] },
      { hostname: 'none' },
    );
    expect(await org.find(is('network.ipAddress', 'notEquals', '10.0.0.1'))).toStrictEqual(['none', 'other']);
    expect(await org.find(is('network.ipAddress', 'notContains', '.1'))).toStrictEqual(['none', 'other']);
    expect(await org.find(is('network.ipAddress', 'isNull'))).toStrictEqual(['none']);
  });

  test('S11 a device that never reported hardware has none', async () => {
    const org = await withDevices({ hostname: 'never' });
    expect(await org.find(is('hardware.cpuCores', 'notEquals', 4))).toStrictEqual(['never']);
    expect(await org.find(is('hardware.gpuModel', 'isNull'))).toStrictEqual(['never']);
    expect(await org.find(is('metrics.cpuPercent', 'isNull'))).toStrictEqual(['never']);
  });

  test('S12 what is no value of the list is refused with the list', async () => {
    const { preview } = empty;
    expect(await refusedEverywhere(is('status', 'equals', 'ONLINE'))).toStrictEqual(badValue);
    expect(await refusedEverywhere(is('status', 'in', ['online', 'bogus']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
    const { detail } = problemOf(await preview(is('status', 'equals', 'ONLINE')));
    for (const value of [
      'online',
      'offline',
      'maintenance',
      'decommissioned',
      'quarantined',
      'updating',
      'pending',
    ]) {
      expect(detail).toContain(value);
    }
  });

  test('S13 numbers are compared as numbers, in and out of range', async () => {
    const org = await withDevices({ hostname: 'a', uptimeSeconds: 1 });
    expect(await org.find(is('uptimeSeconds', 'equals', 1.5))).toStrictEqual([]);
    expect(await org.find(is('uptimeSeconds', 'greaterThan', 99_999_999_999))).toStrictEqual([]);
    expect(await org.find(is('uptimeSeconds', 'lessThan', 99_999_999_999))).toStrictEqual(['a']);
    expect(await org.find(is('uptimeSeconds', 'lessThan', 1.5))).toStrictEqual(['a']);
    expect(await refusedEverywhere(is('uptimeSeconds', 'equals', 'abc'))).toStrictEqual(badValue);
  });

  test('S14 a site is a UUID', async () => {
    expect(await refusedEverywhere(is('siteId', 'equals', 'abc'))).toStrictEqual(badValue);
    expect(await refusedEverywhere(is('siteId', 'in', [newId(), 'abc']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
  });

  test.each([
    'not a date',
    'infinity',
    '-infinity',
    'now',
    'yesterday',
    'today',
    'epoch',
    '',
    0,
    1_770_000_000_000,
    '2026-02-30',
    '2026-13-01',
    '2026-02-10T24:00:00Z',
    '2026-02-10T23:59:60Z',
    '300000-01-01',
  ])('S15 %j is no date', async (value) => {
    expect(await refusedEverywhere(is('lastSeenAt', 'after', value))).toStrictEqual(badValue);
  });

  test('S16 the offset of a date counts', async () => {
    const seen = (hostname: string, text: string) => ({ hostname, lastSeenAt: Date.parse(text) });
    const org = await withDevices(
      seen('before', '2026-01-31T18:59:59.999Z'),
      seen('at', '2026-01-31T19:00:00.000Z'),
      seen('after', '2026-01-31T20:00:00.000Z'),
    );
    expect(await org.find(is('lastSeenAt', 'before', '2026-02-01T00:00:00+05:00'))).toStrictEqual(['before']);
    expect(await org.find(is('lastSeenAt', 'equals', '2026-02-01T00:00:00+05:00'))).toStrictEqual(['at']);
  });

  test('S17 the zone of the server does not', async () => {
    const { rows } = await databaseOf(service).owner.query<{ setting: string }>(
      `select array_to_string(setconfig, ',') as setting from pg_db_role_setting s
         join pg_database d on d.oid = s.setdatabase where d.datname = current_database()`,
    );
    expect(rows.map(({ setting }) => setting)).toContainEqual(expect.stringContaining('Asia/Kolkata'));
    const org = await withDevices(
      { hostname: 'in', lastSeenAt: NOW - 3_600_000 },
      { hostname: 'out', lastSeenAt: NOW - 3_600_001 },
    );
    expect(await org.find(is('lastSeenAt', 'withinLast', { amount: 1, unit: 'hours' }))).toStrictEqual([
      'in',
    ]);
    expect(await org.find(is('lastSeenAt', 'equals', '2026-02-01'))).toStrictEqual(['in', 'out']);
  });

  test('S18 between covers the whole of its last day', async () => {
    const org = await withDevices(
      { hostname: 'afternoon', lastSeenAt: Date.UTC(2026, 1, 1, 15) },
      { hostname: 'last', lastSeenAt: Date.UTC(2026, 1, 2) - 1 },
      { hostname: 'tomorrow', lastSeenAt: Date.UTC(2026, 1, 2) },
    );
    const value = { from: '2026-01-01', to: '2026-02-01' };
    expect(await org.find(is('lastSeenAt', 'between', value))).toStrictEqual(['afternoon', 'last']);
  });

  test('S19 daysSinceLastSeen equals whole days elapsed', async () => {
    const org = await withDevices(
      { hostname: '40-days', lastSeenAt: NOW - 40 * DAY_MS },
      { hostname: '40-days-and-a-bit', lastSeenAt: NOW - 40.9 * DAY_MS },
      { hostname: '41-days', lastSeenAt: NOW - 41 * DAY_MS },
      { hostname: 'never' },
    );
    expect(await org.find(is('daysSinceLastSeen', 'equals', 40))).toStrictEqual([
      '40-days',
      '40-days-and-a-bit',
    ]);
    expect(await org.find(is('daysSinceLastSeen', 'notEquals', 40))).toStrictEqual(['41-days', 'never']);
    expect(await org.find(is('daysSinceLastSeen', 'greaterThan', 40))).toStrictEqual([
      '40-days-and-a-bit',
      '41-days',
    ]);
  });

  test('S20 a span beyond the calendar reaches back for ever', async () => {
    const org = await withDevices(
      { hostname: 'ever', lastSeenAt: Date.UTC(1970, 0, 1) },
      { hostname: 'never' },
    );
    for (const value of [
      { amount: 1e9, unit: 'months' },
      { amount: 1e300, unit: 'weeks' },
    ]) {
      expect(await org.find(is('lastSeenAt', 'withinLast', value))).toStrictEqual(['ever']);
      expect(await org.find(is('lastSeenAt', 'notWithinLast', value))).toStrictEqual(['never']);
    }
  });

  test.each(['(', '[', 'a{2,1}', '*a', '\\', '(?<name>a)', 'a{1,256}'])(
    'S21 the regular expression %j is refused with the reason of PostgreSQL',
    async (pattern) => {
      const reason = await databaseOf(service)
        .owner.query(`select '' ~ $1`, [pattern])
        .then(() => null)
        .catch((error: Error) => error.message.replace('invalid regular expression: ', ''));
      expect(reason).not.toBeNull();
      expect(await refusedEverywhere(is('hostname', 'matches', pattern))).toStrictEqual(
        invalid([VALUE, 'invalid_pattern']),
      );
      const { preview } = empty;
      expect(problemOf(await preview(is('hostname', 'matches', pattern))).detail).toContain(reason);
    },
  );

  test('S22 a NUL is refused wherever it stands', async () => {
    expect(await refusedEverywhere(is('hostname', 'equals', 'a\u0000b'))).toStrictEqual(badValue);
    expect(await refusedEverywhere(is('hostname', 'in', ['a', '\u0000']))).toStrictEqual(
      invalid([`${VALUE}[1]`, 'invalid_value']),
    );
  });

  test('S23 network.publicIp is a field that is written and matches', async () => {
    const org = await withDevices(
      { hostname: 'public', network: [{ ipAddress: null, publicIp: '203.0.113.9', macAddress: null }] },
      { hostname: 'private', network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }] },
    );
    expect(await org.find(is('network.publicIp', 'equals', '203.0.113.9'))).toStrictEqual(['public']);
  });

  test('S24 custom fields are typed by their definition', async () => {
    const org = await service.inNewOrg((orgId) => {
      const owner = { kind: 'organization', orgId } as const;
      return [
        aCustomField({ owner, key: 'seats', type: 'number' }),
        aCustomField({ owner, key: 'on_date', type: 'date' }),
        aCustomField({ owner, key: 'leased', type: 'boolean' }),
        aDevice({
          orgId,
          hostname: 'ten',
          custom: new Map<string, string | number | boolean>([
            ['seats', 10],
            ['on_date', '2026-01-10'],
            ['leased', true],
          ]),
        }),
        aDevice({
          orgId,
          hostname: 'nine',
          custom: new Map<string, string | number | boolean>([
            ['seats', 9],
            ['on_date', '2026-02-10'],
            ['leased', false],
          ]),
        }),
        aDevice({
          orgId,
          hostname: 'unfit',
          custom: new Map([
            ['seats', 'abc'],
            ['on_date', 'soon'],
            ['leased', 'yes'],
          ]),
        }),
      ];
    });
    expect(await org.find(is('custom.seats', 'greaterThan', 9))).toStrictEqual(['ten']);
    expect(await org.find(is('custom.on_date', 'before', '2026-02-01'))).toStrictEqual(['ten']);
    expect(await org.find(is('custom.leased', 'equals', true))).toStrictEqual(['ten']);
    expect(await org.find(is('custom.leased', 'isNull'))).toStrictEqual(['unfit']);
    expect(refusalOf(await org.preview(is('custom.unknown', 'isNull')))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
  });

  test('S25 software is found in any case, by equals as by contains', async () => {
    const org = await withDevices({ hostname: 'a', software: [{ name: 'Google Chrome', version: '1' }] });
    for (const condition of [
      is('software.installed', 'equals', 'google chrome'),
      is('software.installed', 'contains', 'CHROME'),
      is('software.installed', 'in', ['GOOGLE CHROME']),
    ]) {
      expect(await org.find(condition)).toStrictEqual(['a']);
    }
    expect(await org.find(is('software.notInstalled', 'equals', 'GOOGLE chrome'))).toStrictEqual([]);
  });

  test('S26 devices without a watchdog can be selected, by notIn', async () => {
    const org = await withDevices({ hostname: 'with', watchdogStatus: 'offline' }, { hostname: 'without' });
    expect(await org.find(is('watchdogStatus', 'notIn', ['connected', 'failover', 'offline']))).toStrictEqual(
      ['without'],
    );
    expect(await org.find(is('watchdogStatus', 'notEquals', 'connected'))).toStrictEqual(['with', 'without']);
    // The matrix of the specification has no isNull for lists of values.
    expect(await refusedEverywhere(is('watchdogStatus', 'isNull'))).toStrictEqual(
      invalid(['conditions.conditions[0].operator', 'operator_not_allowed']),
    );
  });
});

describe('evaluation, tenancy, cost', () => {
  const EVERY = and(is('hostname', 'isNotNull'));

  test('E1 a system caller previews everything', async () => {
    const { rows } = await databaseOf(service).owner.query<{ count: string }>('select count(*) from device');
    expect(previewOf(await service.as('system')('POST', PREVIEW, { conditions: EVERY })).totalCount).toBe(
      Number(rows[0]?.count),
    );
  });

  test('E2 an API key is good on every filter route', async () => {
    const ask = service.as('key-A');
    const { id } = filterOf(await ask('POST', FILTERS, { name: 'By key', conditions: EVERY }));
    const statuses = [
      await ask('GET', FILTERS),
      await ask('GET', `${FILTERS}/fields`),
      await ask('POST', PREVIEW, { conditions: EVERY }),
      await ask('GET', `${FILTERS}/${id}`),
      await ask('POST', `${FILTERS}/${id}/preview`),
      await ask('PATCH', `${FILTERS}/${id}`, { name: 'Still by key' }),
      await ask('DELETE', `${FILTERS}/${id}`),
    ].map(({ status }) => status);
    expect(statuses).toStrictEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  test('E3 a partner of 400 organizations gets one sample in one order, every time', async () => {
    const partner = aPartner();
    const orgs = Array.from({ length: 400 }, () => anOrganization({ partnerId: partner.id }));
    const user = aUser({ membership: { scope: 'partner', partnerId: partner.id, orgIds: null } });
    const devices = orgs.map(({ id: orgId }, i) =>
      aDevice({ orgId, hostname: `many-${String((i * 7) % 400).padStart(3, '0')}` }),
    );
    await loadFleet(service.composition.backend, [partner, ...orgs, user, ...devices]);
    const ask = service.asUser(user.id);
    const samples = await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', PREVIEW, { conditions: EVERY, limit: 5 })),
    );
    for (const sample of samples) {
      expect([previewOf(sample).totalCount, hostnamesOf(sample)]).toStrictEqual([
        400,
        ['many-000', 'many-001', 'many-002', 'many-003', 'many-004'],
      ]);
    }
  });

  test('E4 the limit on a filter does not outlive it, and E5 and E6 a filter that takes too long is 422', async () => {
    const hasty = await startService({ filterTimeoutMs: 100 });
    try {
      const org = await hasty.inNewOrg((orgId) =>
        Array.from({ length: 50 }, (_, i) => aDevice({ orgId, hostname: `${'ab'.repeat(200)}yz${i}` })),
      );
      const answer = await org.preview(is('hostname', 'matches', '(.*).*(.*).*(.*)\\1y\\2z\\3'));
      expect(refusalOf(answer)).toStrictEqual([422, 'filter_timeout']);
      const { rows } = await databaseOf(hasty).owner.query(
        `select action, result, details from audit_log where org_id = $1`,
        [org.orgId],
      );
      expect(rows).toStrictEqual([
        { action: 'filter.preview', result: 'denied', details: { reason: 'timeout' } },
      ]);
      const bounded = await org.preview(is('hostname', 'matches', '((a{0,255}){0,20}){0,5}'));
      expect([
        [400, 'validation_failed', [VALUE, 'invalid_pattern']],
        [422, 'filter_timeout'],
      ]).toContainEqual(refusalOf(bounded));
      expect((await org.ask('POST', FILTERS, { name: 'Afterwards', conditions: EVERY })).status).toBe(201);
      const settings = await databaseOf(hasty).owner.query<{ timeout: string }>(
        `select distinct setconfig::text as timeout from pg_db_role_setting where setconfig::text like '%statement_timeout%'`,
      );
      expect(settings.rows).toStrictEqual([]);
    } finally {
      await hasty.close();
    }
  });

  test('E6 (a+)+$ is a regular expression like any other', async () => {
    const org = await withDevices({ hostname: 'a'.repeat(5000) });
    expect(await org.find(is('hostname', 'matches', '(a+)+$'))).toHaveLength(1);
  });

  test('E7 10,000 conditions are answered', async () => {
    const org = await withDevices({ hostname: 'host-77' }, { hostname: 'other' });
    const conditions = Array.from({ length: 10_000 }, (_, i) => is('hostname', 'equals', `host-${i}`));
    expect(await org.find({ operator: 'OR', conditions })).toStrictEqual(['host-77']);
    const mixed = Array.from({ length: 10_000 }, (_, i) =>
      i % 2 === 0 ? is('hostname', 'startsWith', `host-${i}x`) : is('uptimeSeconds', 'equals', i),
    );
    const answer = await org.preview({ operator: 'OR', conditions: mixed });
    expect([200, 422]).toContain(answer.status);
  });

  test('E8 60,000 values are answered', async () => {
    const org = await withDevices({ hostname: 'h59999' }, { hostname: 'other' });
    const values = Array.from({ length: 60_000 }, (_, i) => `h${i}`);
    expect(await org.find(is('hostname', 'in', values))).toStrictEqual(['h59999']);
    expect(await org.find(is('hostname', 'notIn', values))).toStrictEqual(['other']);
  });

  test('E9 decommissioned devices count like any other', async () => {
    const org = await withDevices({ hostname: 'a', status: 'decommissioned' }, { hostname: 'b' });
    const answer = await org.preview(EVERY);
    expect([previewOf(answer).totalCount, hostnamesOf(answer)]).toStrictEqual([2, ['a', 'b']]);
  });

  test('E10 one device is in the set exactly where the set says so', async () => {
    const org = await withDevices({ hostname: 'a', isHeadless: true }, { hostname: 'b' });
    const set = await org.find(is('isHeadless', 'notEquals', true));
    const alone = await Promise.all(
      ['a', 'b'].map((name) =>
        org.find(and(is('hostname', 'equals', name), is('isHeadless', 'notEquals', true))),
      ),
    );
    expect(alone.flat()).toStrictEqual(set);
  });

  test('E11 a device that changes is found as it is now', async () => {
    const org = await withDevices({ hostname: 'moving', status: 'offline' });
    expect(await org.find(is('status', 'equals', 'online'))).toStrictEqual([]);
    await databaseOf(service).owner.query(`update device set status = 'online' where org_id = $1`, [
      org.orgId,
    ]);
    expect(await org.find(is('status', 'equals', 'online'))).toStrictEqual(['moving']);
  });

  test('E12 whoever holds a filter holds its id: an edit is what the next evaluation sees', async () => {
    const org = await withDevices({ hostname: 'a' }, { hostname: 'b' });
    const { id } = filterOf(
      await org.ask('POST', FILTERS, { name: 'Target', conditions: and(is('hostname', 'equals', 'a')) }),
    );
    expect(hostnamesOf(await org.ask('POST', `${FILTERS}/${id}/preview`))).toStrictEqual(['a']);
    await org.ask('PATCH', `${FILTERS}/${id}`, { conditions: and(is('hostname', 'equals', 'b')) });
    expect(hostnamesOf(await org.ask('POST', `${FILTERS}/${id}/preview`))).toStrictEqual(['b']);
  });

  test('E13 the list of filters has an index that begins with the organization', async () => {
    const { rows } = await databaseOf(service).owner.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where tablename = 'saved_filter' and indexdef like '%(org_id, created_at DESC, id DESC)%'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('E14 a saved filter is previewed over its organization, and ad hoc over all in reach', async () => {
    const { filters } = service.tenants;
    const ask = service.as('P-all');
    const saved = await ask('POST', `${FILTERS}/${filters.A.id}/preview`);
    const conditions = and(is('tags', 'contains', 'everywhere'));
    expect([
      previewOf(saved).totalCount,
      previewOf(await ask('POST', PREVIEW, { conditions })).totalCount,
    ]).toStrictEqual([3, 5]);
  });
});
