/** The orders of devices: what each key compares, what comes last, and how ties are broken (Contract: §10). */
import { describe, expect, test } from 'vitest';
import { DEVICE_ROLES, DEVICE_STATUSES, NO_METRICS } from '#domain/device/device.ts';
import {
  DEVICE_SORT_KEYS,
  parseDeviceSort,
  positionOf,
  positionOrder,
  printDeviceSort,
  type SortedDevice,
} from '#domain/device/device-sort.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';

/** A device. `hostname` is its id as well. */
function device(hostname: string, given: Partial<SortedDevice> = {}): SortedDevice {
  return {
    id: hostname as SortedDevice['id'],
    hostname,
    displayName: null,
    status: 'online',
    osType: null,
    deviceRole: 'unknown',
    lastSeenAt: null,
    enrolledAt: null,
    metrics: NO_METRICS,
    ...given,
  };
}

/** The ids in the order of the sort. */
function sorted(text: string, devices: readonly SortedDevice[]): readonly string[] {
  const sort = parseDeviceSort(text);
  if (sort === null) throw new Error(`${text} is no sort`);
  const compare = positionOrder(sort);
  return devices.toSorted((a, b) => compare(positionOf(a, sort), positionOf(b, sort))).map(({ id }) => id);
}

describe('parseDeviceSort', () => {
  test.each(DEVICE_SORT_KEYS.flatMap((key) => [key, `-${key}`]))('reads %s', (text) => {
    const sort = parseDeviceSort(text);
    expect(sort).toStrictEqual({ key: text.replace(/^-/, ''), isDescending: text.startsWith('-') });
    expect(sort && printDeviceSort(sort)).toBe(text);
  });

  test.each(['', '-', '--hostname', 'Hostname', 'hostname ', '+hostname', 'metrics', 'constructor', 'tags'])(
    'does not read %j',
    (text) => {
      expect(parseDeviceSort(text)).toBe(null);
    },
  );
});

describe('the order of devices', () => {
  test('by hostname is that of previews: lower-cased, by code points', () => {
    const devices = ['🖨', '～', 'b', 'A', 'Σ', 'a'].map((name) => device(name));
    expect(sorted('hostname', devices)).toStrictEqual(['A', 'a', 'b', 'Σ', '～', '🖨']);
    // Ties are ascending in both directions.
    expect(sorted('-hostname', devices)).toStrictEqual(['🖨', '～', 'Σ', 'b', 'A', 'a']);
  });

  test('by display name looks at the first 200 code points, lower-cased', () => {
    const long = (end: string) => `${'🖨'.repeat(199)}${end}`;
    const devices = [
      device('1', { displayName: long('b') }),
      device('4', { displayName: long('A9') }),
      device('3', { displayName: long('a0') }),
      device('2', { displayName: null }),
      device('0', { displayName: '' }),
    ];
    expect(sorted('displayName', devices)).toStrictEqual(['0', '3', '4', '1', '2']);
    expect(sorted('-displayName', devices)).toStrictEqual(['1', '3', '4', '0', '2']);
  });

  test.each([
    ['status', DEVICE_STATUSES.map((status) => device(status, { status }))],
    ['deviceRole', DEVICE_ROLES.map((deviceRole) => device(deviceRole, { deviceRole }))],
    [
      'osType',
      (['windows', 'macos', 'linux'] as const)
        .map((osType) => device(osType, { osType }))
        .concat(device('?')),
    ],
  ])('by %s follows the listed order of the values', (key, devices) => {
    const ids = devices.map(({ id }) => id as string);
    expect(sorted(key, devices.toReversed())).toStrictEqual(ids);
    const missing = ids.filter((id) => id === '?');
    expect(sorted(`-${key}`, devices)).toStrictEqual([
      ...ids.filter((id) => id !== '?').toReversed(),
      ...missing,
    ]);
  });

  test.each(DEVICE_SORT_KEYS.filter((key) => /At$|^metrics/.test(key)))(
    'by %s is numeric, with missing values at the end',
    (key) => {
      const of = (name: string, value: number | null) => {
        const metrics = { ...NO_METRICS, [key.replace('metrics.', '')]: value };
        return device(name, key.startsWith('metrics.') ? { metrics } : { [key]: value });
      };
      const devices = [of('none', null), of('b', SOME_INSTANT), of('a', -1), of('c', 0.5), of('also', null)];
      expect(sorted(key, devices)).toStrictEqual(['a', 'c', 'b', 'also', 'none']);
      expect(sorted(`-${key}`, devices)).toStrictEqual(['b', 'c', 'a', 'also', 'none']);
    },
  );

  test('breaks ties by lower-cased hostname and id, ascending in both directions', () => {
    const devices = [
      device('x', { hostname: 'B' }),
      device('y', { hostname: 'b' }),
      device('z', { hostname: 'a' }),
    ];
    expect(sorted('status', devices)).toStrictEqual(['z', 'x', 'y']);
    expect(sorted('-status', devices)).toStrictEqual(['z', 'x', 'y']);
  });
});
