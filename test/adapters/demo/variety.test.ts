import { describe, expect, test } from 'vitest';
import {
  ARCHITECTURES,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type DeviceHardware,
  type DeviceMetrics,
  NO_HARDWARE,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  CUSTOM_FIELD_TYPES,
  type DeviceRecord,
  PATCH_STATUSES,
} from '#domain/fleet/fleet-record.ts';
import { asDevice, ofKind } from './fixed-demo.ts';

const DEVICES = ofKind('device');
const ALERTS = ofKind('alert');
const USERS = ofKind('user');

describe('in the demo', () => {
  test.each([
    ['status', DEVICE_STATUSES, DEVICES.map((device) => device.status)],
    ['deviceRole', DEVICE_ROLES, DEVICES.map((device) => device.deviceRole)],
    ['osType', OS_TYPES, DEVICES.map((device) => device.osType)],
    ['architecture', ARCHITECTURES, DEVICES.map((device) => device.architecture)],
    ['watchdogStatus', WATCHDOG_STATUSES, DEVICES.map((device) => device.watchdogStatus)],
    [
      'patch status',
      PATCH_STATUSES,
      DEVICES.flatMap((device) => device.patches?.map(({ status }) => status) ?? []),
    ],
    ['alert severity', ALERT_SEVERITIES, ALERTS.map((alert) => alert.severity)],
    ['alert status', ALERT_STATUSES, ALERTS.map((alert) => alert.status)],
    ['custom field type', CUSTOM_FIELD_TYPES, ofKind('customField').map((field) => field.type)],
    ['scope', ['organization', 'partner', 'system'], USERS.map((user) => user.membership.scope)],
    [
      'custom field owner',
      ['organization', 'partner'],
      ofKind('customField').map((field) => field.owner.kind),
    ],
    ['script owner', ['organization', 'partner'], ofKind('script').map((script) => script.owner.kind)],
  ] as const)('every %s occurs', (_name, words, values) => {
    const met = new Set<string | null>(values);
    expect(words.filter((word) => !met.has(word))).toStrictEqual([]);
  });
});

describe('an optional member', () => {
  const deviceMembers = [
    'siteId',
    'displayName',
    'osType',
    'osVersion',
    'osBuild',
    'architecture',
    'agentVersion',
    'enrolledAt',
    'lastSeenAt',
    'lastSeenIp',
    'lastUser',
    'isHeadless',
    'uptimeSeconds',
    'watchdogStatus',
    'quarantinedAt',
  ] as const satisfies readonly (keyof DeviceRecord)[];
  const hardware = [
    'manufacturer',
    'model',
    'serialNumber',
    'cpuModel',
    'gpuModel',
    'cpuCores',
    'ramTotalMb',
    'diskTotalGb',
  ] as const satisfies readonly (keyof DeviceHardware)[];
  const metrics = [
    'cpuPercent',
    'ramPercent',
    'diskPercent',
  ] as const satisfies readonly (keyof DeviceMetrics)[];
  const interfaces = DEVICES.flatMap((device) => device.network);

  test.each<readonly [string, readonly unknown[]]>([
    ...deviceMembers.map((member) => [member, DEVICES.map((device) => device[member])] as const),
    ...hardware.map(
      (member) => [`hardware.${member}`, DEVICES.map((device) => device.hardware[member])] as const,
    ),
    ...metrics.map(
      (member) => [`metrics.${member}`, DEVICES.map((device) => device.metrics[member])] as const,
    ),
    ['network.ipAddress', interfaces.map((one) => one.ipAddress)],
    ['network.publicIp', interfaces.map((one) => one.publicIp)],
    ['network.macAddress', interfaces.map((one) => one.macAddress)],
    ['software.version', DEVICES.flatMap((device) => device.software.map(({ version }) => version))],
    ['patches.id', DEVICES.flatMap((device) => device.patches?.map(({ id }) => id) ?? [])],
    ['custom', DEVICES.flatMap((device) => [...device.custom.values()])],
    ['user.totpSecret', USERS.map((user) => user.totpSecret)],
    [
      'user.orgIds',
      USERS.flatMap(({ membership }) => (membership.scope === 'partner' ? [membership.orgIds] : [])),
    ],
    ['apiKey.orgId', ofKind('apiKey').map((key) => key.orgId)],
    ['apiKey.expiresAt', ofKind('apiKey').map((key) => key.expiresAt)],
    ['script.description', ofKind('script').map((script) => script.description)],
    ['alert.deviceId', ALERTS.map((alert) => alert.deviceId)],
    ['alert.message', ALERTS.map((alert) => alert.message)],
    ['filter.description', ofKind('filter').map((filter) => filter.description)],
  ])('%s occurs with a value and without one', (_name, values) => {
    expect([values.includes(null), values.some((value) => value !== null)]).toStrictEqual([true, true]);
  });
});

describe('lists', () => {
  test.each([
    ['tags', DEVICES.map((device) => device.tags)],
    ['network', DEVICES.map((device) => device.network)],
    ['software', DEVICES.map((device) => device.software)],
    ['volumes', DEVICES.map((device) => device.volumes)],
    ['patches', DEVICES.map((device) => device.patches ?? [])],
  ] as const)('of %s are empty for some devices and longer than one for others', (_name, lists) => {
    const lengths = lists.map((list) => list.length);
    expect([lengths.includes(0), lengths.some((length) => length > 1)]).toStrictEqual([true, true]);
  });

  test.each([1, 2, 3])('some devices have %i network interfaces', (length) => {
    expect(DEVICES.some((device) => device.network.length === length)).toBe(true);
  });

  test('of software have 5 to 25 titles on every computer that reports', () => {
    const lengths = DEVICES.map((device) => device.software.length).filter((length) => length > 0);
    expect([Math.min(...lengths) >= 5, Math.max(...lengths) <= 25]).toStrictEqual([true, true]);
  });

  test('of software draw on some 250 titles', () => {
    const names = new Set(DEVICES.flatMap((device) => device.software.map(({ name }) => name)));
    expect(names.size).toBeGreaterThan(230);
    expect(names.size).toBeLessThan(320);
  });
});

describe('host names', () => {
  const hostnames = DEVICES.map((device) => device.hostname);

  test.each([
    ['upper case', /^[A-Z0-9-]+$/],
    ['lower case', /^[a-z0-9.-]+$/],
    ['both cases', /^(?=.*[a-z])(?=.*[A-Z])/],
    ['letters of Zürich', /ü/],
    ['letters of Łódź', /^Łódź/],
    ['the dotted capital I of İstanbul', /^İ/],
    ['a percent sign', /%/],
    ['an underscore', /_/],
    ['a backslash', /\\/],
    ['a quote', /['"]/],
    ['a space', / /],
    ['a character beyond the basic plane', /[\u{10000}-\u{10ffff}]/u],
  ])('with %s occur', (_name, pattern) => {
    expect(hostnames.some((hostname) => pattern.test(hostname))).toBe(true);
  });

  test('can be the same in several organizations', () => {
    const orgs = new Set(
      DEVICES.filter(({ hostname }) => hostname === 'localhost').map(({ orgId }) => orgId),
    );
    expect(orgs.size).toBeGreaterThan(2);
  });

  test('can belong to two devices: one loaded, one from its first report', () => {
    const [loaded, reported, ...others] = DEVICES.filter(({ hostname }) => hostname === 'ANR-WS-0034');
    expect([loaded?.status, loaded?.hardware, loaded?.network]).toStrictEqual(['pending', NO_HARDWARE, []]);
    expect([reported?.status, reported?.hardware.serialNumber]).toStrictEqual(['online', expect.any(String)]);
    expect([reported?.orgId, reported?.siteId]).toStrictEqual([loaded?.orgId, loaded?.siteId]);
    expect(others).toStrictEqual([]);
  });
});

describe('conditions that people look for', () => {
  const devices = DEVICES.map((device) => asDevice(device, ALERTS));

  test.each<readonly [string, (device: (typeof devices)[number]) => boolean, number, number]>([
    ['a hot processor', ({ metrics }) => (metrics.cpuPercent ?? 0) > 90, 10, 100],
    ['an almost full disk', ({ metrics }) => (metrics.diskPercent ?? 0) > 95, 10, 100],
    ['pending patches', ({ pendingPatchCount }) => pendingPatchCount > 0, 200, 600],
    ['an active critical alert', ({ criticalAlertCount }) => criticalAlertCount > 0, 40, 80],
    ['a pending reboot', ({ rebootRequired }) => rebootRequired, 60, 300],
    ['no tags', ({ tags }) => tags.length === 0, 200, 800],
    ['an agent older than 3.0', ({ agentVersion }) => /^[0-2]\./.test(agentVersion ?? '4'), 20, 120],
    ['an IPv6 address', ({ network }) => network.some((one) => one.ipAddress?.includes(':')), 50, 400],
  ])('%s occurs on a plausible share of the devices', (_name, holds, atLeast, atMost) => {
    const { length } = devices.filter(holds);
    expect(length).toBeGreaterThanOrEqual(atLeast);
    expect(length).toBeLessThanOrEqual(atMost);
  });
});

describe('users', () => {
  test('include one platform administrator, of system scope', () => {
    const administrators = USERS.filter((user) => user.isPlatformAdmin);
    expect(administrators.map((user) => user.membership.scope)).toStrictEqual(['system']);
  });

  test.each(['organization', 'partner', 'system'])(
    'of %s scope: some may manage users, some may not',
    (scope) => {
      const permissions = USERS.filter((user) => user.membership.scope === scope).map((user) =>
        user.permissions.join(),
      );
      expect(new Set(permissions)).toStrictEqual(new Set(['users:write,devices:write', '']));
    },
  );
});
