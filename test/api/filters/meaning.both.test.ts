/** What single conditions mean where other products go wrong (Contract: §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { refusalOf, type TestService } from '#test/api/service/service.ts';
import { aCustomField, aDevice, newId } from '#test/support/builders.ts';
import {
  BAD_VALUE,
  type ConditionService,
  invalid,
  is,
  NOW,
  startConditionService,
} from './condition-service.ts';

let service: TestService;
let withDevices: ConditionService['withDevices'];
let refusedEverywhere: ConditionService['refusedEverywhere'];

beforeAll(async () => {
  ({ service, withDevices, refusedEverywhere } = await startConditionService());
});
afterAll(() => service.close());

describe('lists and tags', () => {
  test('a list of one value is a list, whatever the value looks like', async () => {
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

  test('hasAny and hasAll work with plain values', async () => {
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

  test('contains on tags is exact membership', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b', tags: ['xx', 'X'] });
    expect(await org.find(is('tags', 'contains', 'x'))).toStrictEqual(['a']);
  });

  test('hasAll with an empty list matches every device, and hasAny none', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b' });
    expect(await org.find(is('tags', 'hasAll', []))).toStrictEqual(['a', 'b']);
    expect(await org.find(is('tags', 'hasAny', []))).toStrictEqual([]);
  });

  test('isEmpty matches a device without tags', async () => {
    const org = await withDevices({ hostname: 'a', tags: ['x'] }, { hostname: 'b' });
    expect(await org.find(is('tags', 'isEmpty'))).toStrictEqual(['b']);
    expect(await org.find(is('tags', 'isNotEmpty'))).toStrictEqual(['a']);
  });

  test('an empty list of software matches no device', async () => {
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
});

describe('numbers, booleans and lists of words', () => {
  test('between on a number compares numerically, also with numeric strings', async () => {
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

  test('numbers are compared as numbers, in and out of range', async () => {
    const org = await withDevices({ hostname: 'a', uptimeSeconds: 1 });
    expect(await org.find(is('uptimeSeconds', 'equals', 1.5))).toStrictEqual([]);
    expect(await org.find(is('uptimeSeconds', 'greaterThan', 99_999_999_999))).toStrictEqual([]);
    expect(await org.find(is('uptimeSeconds', 'lessThan', 99_999_999_999))).toStrictEqual(['a']);
    expect(await org.find(is('uptimeSeconds', 'lessThan', 1.5))).toStrictEqual(['a']);
    expect(await refusedEverywhere(is('uptimeSeconds', 'equals', 'abc'))).toStrictEqual(BAD_VALUE);
  });

  test('notIn selects devices without a watchdog', async () => {
    const org = await withDevices({ hostname: 'with', watchdogStatus: 'offline' }, { hostname: 'without' });
    expect(await org.find(is('watchdogStatus', 'notIn', ['connected', 'failover', 'offline']))).toStrictEqual(
      ['without'],
    );
    expect(await org.find(is('watchdogStatus', 'notEquals', 'connected'))).toStrictEqual(['with', 'without']);
    // The operator matrix of the specification has no isNull for enums.
    expect(await refusedEverywhere(is('watchdogStatus', 'isNull'))).toStrictEqual(
      invalid(['conditions.conditions[0].operator', 'operator_not_allowed']),
    );
  });
});

describe('devices without a value', () => {
  test('match the negative operators', async () => {
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

  test('match a negative operator on interfaces, as do devices without a matching interface', async () => {
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

  test('include devices that never reported hardware', async () => {
    const org = await withDevices({ hostname: 'never' });
    expect(await org.find(is('hardware.cpuCores', 'notEquals', 4))).toStrictEqual(['never']);
    expect(await org.find(is('hardware.gpuModel', 'isNull'))).toStrictEqual(['never']);
    expect(await org.find(is('metrics.cpuPercent', 'isNull'))).toStrictEqual(['never']);
  });
});

describe('ids, addresses, software and custom fields', () => {
  test('groupId is an unknown field, and organizations are compared as ids', async () => {
    expect(await refusedEverywhere(is('groupId', 'in', [newId()]))).toStrictEqual(
      invalid(['conditions.conditions[0].field', 'unknown_field']),
    );
    const org = await withDevices({ hostname: 'a' });
    expect(await org.find(is('orgId', 'in', [org.orgId]))).toStrictEqual(['a']);
    expect(await org.find(is('orgId', 'in', [newId(), org.orgId]))).toStrictEqual(['a']);
  });

  test('network.publicIp is stored and matches', async () => {
    const org = await withDevices(
      { hostname: 'public', network: [{ ipAddress: null, publicIp: '203.0.113.9', macAddress: null }] },
      { hostname: 'private', network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }] },
    );
    expect(await org.find(is('network.publicIp', 'equals', '203.0.113.9'))).toStrictEqual(['public']);
  });

  test('custom fields are typed by their definition', async () => {
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

  test('software matches in any case, by equals, contains and in', async () => {
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
});

describe('time', () => {
  test('the offset in a date is used', async () => {
    const seen = (hostname: string, text: string) => ({ hostname, lastSeenAt: Date.parse(text) });
    const org = await withDevices(
      seen('before', '2026-01-31T18:59:59.999Z'),
      seen('at', '2026-01-31T19:00:00.000Z'),
      seen('after', '2026-01-31T20:00:00.000Z'),
    );
    expect(await org.find(is('lastSeenAt', 'before', '2026-02-01T00:00:00+05:00'))).toStrictEqual(['before']);
    expect(await org.find(is('lastSeenAt', 'equals', '2026-02-01T00:00:00+05:00'))).toStrictEqual(['at']);
  });

  test('spans and days count in UTC', async () => {
    const org = await withDevices(
      { hostname: 'in', lastSeenAt: NOW - 3_600_000 },
      { hostname: 'out', lastSeenAt: NOW - 3_600_001 },
    );
    expect(await org.find(is('lastSeenAt', 'withinLast', { amount: 1, unit: 'hours' }))).toStrictEqual([
      'in',
    ]);
    expect(await org.find(is('lastSeenAt', 'equals', '2026-02-01'))).toStrictEqual(['in', 'out']);
  });

  test('between covers the whole of its last day', async () => {
    const org = await withDevices(
      { hostname: 'afternoon', lastSeenAt: Date.UTC(2026, 1, 1, 15) },
      { hostname: 'last', lastSeenAt: Date.UTC(2026, 1, 2) - 1 },
      { hostname: 'tomorrow', lastSeenAt: Date.UTC(2026, 1, 2) },
    );
    const value = { from: '2026-01-01', to: '2026-02-01' };
    expect(await org.find(is('lastSeenAt', 'between', value))).toStrictEqual(['afternoon', 'last']);
  });

  test('daysSinceLastSeen equals whole days elapsed', async () => {
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

  test('a span beyond the calendar covers all of the past', async () => {
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
});
