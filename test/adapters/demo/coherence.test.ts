import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readCustomValue } from '#domain/filter/catalog/custom-field.ts';
import type { AlertRecord, DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { NOW, ofKind } from './fixed-demo.ts';

const DEVICES = ofKind('device');
const COMPUTERS: ReadonlySet<string> = new Set(['workstation', 'server']);
const THREE_YEARS_MS = 3 * 365 * 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('a device', () => {
  test.each<readonly [string, (device: DeviceRecord) => boolean]>([
    [
      'was enrolled within three years',
      ({ enrolledAt }) => enrolledAt === null || enrolledAt >= NOW - THREE_YEARS_MS,
    ],
    ['was not enrolled in the future', ({ enrolledAt }) => enrolledAt === null || enrolledAt <= NOW],
    ['was not seen in the future', ({ lastSeenAt }) => lastSeenAt === null || lastSeenAt <= NOW],
    [
      'was enrolled before it was last seen',
      ({ enrolledAt, lastSeenAt }) => lastSeenAt === null || (enrolledAt !== null && enrolledAt < lastSeenAt),
    ],
    [
      'has never been seen if and only if it is pending',
      ({ status, lastSeenAt }) => (status === 'pending') === (lastSeenAt === null),
    ],
    [
      'was seen within five minutes when online',
      ({ status, lastSeenAt }) => status !== 'online' || (lastSeenAt ?? 0) >= NOW - 5 * MINUTE_MS,
    ],
    [
      'has a time of quarantine if and only if it is quarantined',
      ({ status, quarantinedAt }) => (status === 'quarantined') === (quarantinedAt !== null),
    ],
    [
      'was quarantined after it was enrolled',
      ({ enrolledAt, quarantinedAt }) => quarantinedAt === null || (enrolledAt ?? NOW) <= quarantinedAt,
    ],
    [
      'has an operating system if and only if it is a computer',
      ({ deviceRole, osType }) => COMPUTERS.has(deviceRole) === (osType !== null),
    ],
    [
      'has an agent only when it is a computer',
      ({ deviceRole, agentVersion }) => agentVersion === null || COMPUTERS.has(deviceRole),
    ],
    [
      'has a watchdog only with an agent',
      ({ agentVersion, watchdogStatus }) => watchdogStatus === null || agentVersion !== null,
    ],
    [
      'has software only when it is a computer',
      ({ deviceRole, software }) => software.length === 0 || COMPUTERS.has(deviceRole),
    ],
    [
      'runs macOS if and only if Apple made the computer',
      ({ osType, hardware, status }) =>
        status === 'pending' ||
        osType === null ||
        (osType === 'macos') === (hardware.manufacturer === 'Apple Inc.'),
    ],
    [
      'has a Windows user name of the form DOMAIN\\user',
      ({ osType, lastUser }) => osType !== 'windows' || lastUser === null || lastUser.includes('\\'),
    ],
    [
      'has a plain user name on other systems',
      ({ osType, lastUser }) => osType === 'windows' || !lastUser?.includes('\\'),
    ],
    [
      'has its fullest volume as full as its metrics say',
      ({ volumes, metrics: { diskPercent } }) => {
        const shares = volumes.map(({ totalGb, freeGb }) => 100 * (1 - (freeGb ?? 0) / (totalGb ?? 0)));
        return diskPercent === null ? shares.length === 0 : Math.abs(Math.max(...shares) - diskPercent) < 0.5;
      },
    ],
    [
      'needs a reboot only if patches are pending',
      ({ rebootRequired, patches }) =>
        !rebootRequired || patches?.some(({ status }) => status === 'pending') === true,
    ],
  ])('%s', (_name, holds) => {
    expect(DEVICES.filter((device) => !holds(device))).toStrictEqual([]);
  });
});

describe('addresses', () => {
  const interfaces = DEVICES.flatMap((device) => device.network);
  const privateNetworks = blockList(['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16]);
  const documentation = blockList(['192.0.2.0', 24], ['198.51.100.0', 24], ['203.0.113.0', 24]);

  test('of interfaces are private: RFC 1918, or unique local for IPv6', () => {
    const isPrivate = (ip: string): boolean =>
      ip.includes(':') ? ip.startsWith('fd42:') : privateNetworks.check(ip);
    const addresses = interfaces.flatMap(({ ipAddress }) => ipAddress ?? []);
    expect(addresses.filter((ip) => !isPrivate(ip))).toStrictEqual([]);
  });

  test('that are public are from the ranges for documentation', () => {
    const isForExamples = (ip: string): boolean =>
      ip.includes(':') ? ip.startsWith('2001:db8:') : documentation.check(ip);
    const addresses = [
      ...interfaces.flatMap(({ publicIp }) => publicIp ?? []),
      ...DEVICES.flatMap(({ lastSeenIp }) => lastSeenIp ?? []),
    ];
    expect(addresses.filter((ip) => !isForExamples(ip))).toStrictEqual([]);
  });

  test('of hardware are unique', () => {
    const macs = interfaces.flatMap(({ macAddress }) => macAddress ?? []);
    expect(new Set(macs).size).toBe(macs.length);
  });

  test('on a local network are unique in their organization', () => {
    const taken = DEVICES.flatMap(({ orgId, network }) =>
      network.flatMap(({ ipAddress }) =>
        ipAddress === null || ipAddress === '172.17.0.1' ? [] : [`${orgId} ${ipAddress}`],
      ),
    );
    expect(new Set(taken).size).toBe(taken.length);
  });
});

describe('custom values', () => {
  const organizations = new Map(ofKind('organization').map((one) => [one.id, one]));
  const values = DEVICES.flatMap((device) =>
    [...device.custom].map(([key, value]) => ({ value, definition: definitionOf(device, key) })),
  );

  test('belong to fields that the organization has', () => {
    expect(values.filter(({ definition }) => definition === undefined)).toStrictEqual([]);
  });

  test('fit their definitions, with a few exceptions', () => {
    const misfits = values.filter(
      ({ value, definition }) =>
        value !== null &&
        definition !== undefined &&
        readCustomValue(definition.type, definition.choices, value) === null,
    );
    expect(misfits.length).toBeGreaterThan(5);
    expect(misfits.length / values.length).toBeLessThan(0.01);
  });

  function definitionOf({ orgId }: DeviceRecord, key: string) {
    const fields = ofKind('customField').filter((field) => field.key === key);
    const { partnerId } = organizations.get(orgId) ?? {};
    return (
      fields.find(({ owner }) => owner.kind === 'organization' && owner.orgId === orgId) ??
      fields.find(({ owner }) => owner.kind === 'partner' && owner.partnerId === partnerId)
    );
  }
});

function blockList(...subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix);
  }
  return list;
}

describe('an alert', () => {
  const devices = new Map(DEVICES.map((device) => [device.id, device]));
  const deviceOf = ({ deviceId }: AlertRecord) => (deviceId === null ? undefined : devices.get(deviceId));

  test.each<readonly [string, (alert: AlertRecord) => boolean]>([
    ['was not created in the future', ({ createdAt }) => createdAt !== null && createdAt <= NOW],
    [
      'was created while its device was enrolled',
      (alert) => (alert.createdAt ?? 0) >= (deviceOf(alert)?.enrolledAt ?? 0),
    ],
    [
      'was created by the time that its device was last seen',
      (alert) => (alert.createdAt ?? 0) <= (deviceOf(alert)?.lastSeenAt ?? NOW),
    ],
    [
      'about an offline server was created when the server was last seen',
      (alert) => alert.title !== 'Server offline' || alert.createdAt === deviceOf(alert)?.lastSeenAt,
    ],
  ])('%s', (_, isSo) => {
    expect(ofKind('alert').filter((alert) => !isSo(alert))).toStrictEqual([]);
  });

  test('is less than a day old in some cases, and over a month old in others', () => {
    const ages = ofKind('alert').map(({ createdAt }) => NOW - (createdAt ?? NOW));
    expect(new Set(ages).size).toBeGreaterThan(ages.length * 0.9);
    expect(ages.filter((age) => age < DAY_MS).length).toBeGreaterThan(20);
    expect(ages.filter((age) => age > 30 * DAY_MS).length).toBeGreaterThan(20);
  });
});
