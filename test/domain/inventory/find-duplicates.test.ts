import { describe, expect, test } from 'vitest';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { type DuplicateSign, findDuplicates, type KeyedDevice } from '#domain/inventory/find-duplicates.ts';
import { machineKeys } from '#domain/inventory/machine-keys.ts';

const ORG = 'org' as OrgId;
const MAC = '44:85:00:2b:90:bc';

interface Signs {
  readonly orgId?: OrgId;
  readonly hostname?: string;
  readonly serials?: readonly string[];
  readonly uuids?: readonly string[];
  readonly macs?: readonly string[];
}

function device(id: string, { orgId = ORG, hostname = id, ...keys }: Signs = {}): KeyedDevice {
  return {
    ...{ id: id as DeviceId, orgId, hostname },
    keys: machineKeys({
      serialNumbers: keys.serials ?? [],
      systemUuids: keys.uuids ?? [],
      macAddresses: keys.macs ?? [],
    }),
  };
}

/** The ids of each group, and its signs. */
const groupsOf = (...devices: readonly KeyedDevice[]) =>
  findDuplicates(devices).map(({ ids, because }) => [ids.join(' '), because.join(' ')]);

describe('devices that are probably one machine', () => {
  test.each<[DuplicateSign, Signs]>([
    ['serial', { serials: ['ABC'] }],
    ['uuid', { uuids: ['4c4c4544-0034-3010-8048-b6c04f503732'] }],
    ['mac', { macs: [MAC] }],
    ['hostname', { hostname: 'pc' }],
  ])('share a %s within one organization', (sign, signs) => {
    expect(groupsOf(device('a', signs), device('b', signs))).toStrictEqual([['a b', sign]]);
    expect(groupsOf(device('a', signs), device('b', { ...signs, orgId: 'other' as OrgId }))).toStrictEqual(
      [],
    );
  });

  test('are listed with the surest sign first, and with all their signs', () => {
    const groups = groupsOf(
      device('a', { hostname: 'one' }),
      device('b', { hostname: 'one' }),
      device('c', { macs: [MAC], hostname: 'two' }),
      device('d', { macs: [MAC], hostname: 'two' }),
      device('e', { macs: ['44:85:00:2b:90:bd'] }),
      device('f', { macs: ['44:85:00:2b:90:bd'] }),
      device('g', { serials: ['S1'] }),
      device('h', { serials: ['S1'] }),
    );
    expect(groups).toStrictEqual([
      ['g h', 'serial'],
      ['c d', 'mac hostname'],
      ['e f', 'mac'],
      ['a b', 'hostname'],
    ]);
  });

  test('have no differing serial numbers, and without serial numbers no differing UUIDs', () => {
    const shared = { hostname: 'localhost', macs: [MAC] };
    expect(
      groupsOf(device('a', { ...shared, serials: ['1A'] }), device('b', { ...shared, serials: ['2B'] })),
    ).toStrictEqual([]);
    expect(
      groupsOf(device('a', { ...shared, uuids: ['u-1'] }), device('b', { ...shared, uuids: ['u-2'] })),
    ).toStrictEqual([]);
    expect(
      groupsOf(
        device('a', { ...shared, serials: ['1A'], uuids: ['u-1'] }),
        device('b', { ...shared, serials: ['1A'], uuids: ['u-2'] }),
      ),
    ).toStrictEqual([['a b', 'serial mac hostname']]);
  });

  test('join a device without a serial number to one of two that differ, never to both', () => {
    const hostname = 'pc';
    expect(
      groupsOf(
        device('a', { hostname, serials: ['1A'] }),
        device('b', { hostname }),
        device('c', { hostname, serials: ['2B'] }),
      ),
    ).toStrictEqual([['a b', 'hostname']]);
  });

  test('are found by earlier serial numbers', () => {
    const moved = device('a', { serials: ['NEW', 'OLD'] });
    expect(
      groupsOf(moved, device('b', { serials: ['OLD'] }), device('c', { serials: ['NEW'] })),
    ).toStrictEqual([['a b c', 'serial']]);
  });

  test('are the same groups whatever the order of the devices', () => {
    const devices = Array.from({ length: 60 }, (_, i) =>
      device(`${i}`.padStart(2, '0'), {
        hostname: `pc-${i % 7}`,
        serials: i % 3 === 0 ? [] : [`S${i % 11}`],
        macs: i % 4 === 0 ? [`44:85:00:00:00:0${i % 5}`] : [],
      }),
    );
    const groups = groupsOf(...devices);
    expect(groups.length).toBeGreaterThan(5);
    expect(groupsOf(...devices.toReversed())).toStrictEqual(groups);
  });

  test.each([
    ['serial numbers that differ', (i: number): Signs => ({ serials: [`S${i}`] }), 0],
    ['nothing else', () => ({}), 1],
    [
      'one serial number, but no UUID in common',
      (i: number) => ({
        serials: ['CLONED-1'],
        uuids: [`4c4c4544-0034-3010-8048-${`${i}`.padStart(12, '0')}`],
      }),
      1,
    ],
  ])(
    'are found without quadratic work among 100,000 devices with one hostname and %s',
    (_, signsOf, count) => {
      const devices = Array.from({ length: 100_000 }, (_, i) =>
        device(`${i}`, { hostname: 'localhost', ...signsOf(i) }),
      );
      expect(findDuplicates(devices)).toHaveLength(count);
    },
  );
});
