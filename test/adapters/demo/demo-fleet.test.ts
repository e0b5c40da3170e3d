import { describe, expect, test } from 'vitest';
import { demoFleet } from '#adapters/demo/demo-fleet.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import { UUID_V7 } from '#test/support/shapes.ts';
import { fixedSecrets, NOW, ofKind, RECORDS, recordsAt } from './fixed-demo.ts';

const DAY_MS = 86_400_000;

describe('the same instant', () => {
  test('gives the same records', () => {
    expect(recordsAt(NOW)).toStrictEqual(RECORDS);
  });

  test('gives the same records on every pass over one fleet', () => {
    const { records } = demoFleet(NOW, fixedSecrets());
    expect([...records]).toStrictEqual([...records]);
  });
});

describe('a later instant', () => {
  const later = recordsAt(NOW + 7 * DAY_MS);

  test('keeps every id, so loading again updates the same rows', () => {
    expect(later.map(({ id }) => id)).toStrictEqual(RECORDS.map(({ id }) => id));
  });

  test('shifts the times of devices, and changes nothing else about them', () => {
    expect(ofKind('device', later)).toStrictEqual(ofKind('device').map(aWeekLater));
  });

  test('shifts the creation times of alerts, and changes nothing else about them', () => {
    const shifted = ofKind('alert').map((alert) => ({
      ...alert,
      createdAt: (alert.createdAt ?? Number.NaN) + 7 * DAY_MS,
    }));
    expect(ofKind('alert', later)).toStrictEqual(shifted);
  });
});

describe('other secrets', () => {
  test('change nothing but the passwords, the TOTP secrets and the keys', () => {
    const others = demoFleet(NOW, {
      password: () => 'another password',
      totpSecret: () => 'MFRGGZDFMZTWQ2LK',
      apiKey: () => `fsk_${'x'.repeat(43)}`,
    });
    const records = [...others.records].map(({ record }) => withoutSecrets(record));
    expect(records).toStrictEqual(RECORDS.map(withoutSecrets));
  });
});

describe('ids', () => {
  test('have the shape of UUIDv7', () => {
    expect(allIds().filter((id) => !UUID_V7.test(id))).toStrictEqual([]);
  });

  test('are unique', () => {
    const ids = allIds();
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('sizes', () => {
  test('match the counts that the fleet announces', () => {
    expect(demoFleet(NOW, fixedSecrets()).counts).toStrictEqual({
      partners: ofKind('partner').length,
      organizations: ofKind('organization').length,
      devices: ofKind('device').length,
    });
  });

  test.each([
    ['partner', 2, 2],
    ['organization', 12, 12],
    ['site', 24, 60],
    ['user', 12, 30],
    ['apiKey', 1, 5],
    ['customField', 15, 30],
    ['device', 1_900, 2_100],
    ['script', 25, 40],
    ['alert', 500, 1_000],
    ['filter', 12, 20],
  ] as const)('of kind %s are plausible', (kind, atLeast, atMost) => {
    const { length } = ofKind(kind);
    expect(length).toBeGreaterThanOrEqual(atLeast);
    expect(length).toBeLessThanOrEqual(atMost);
  });

  test('of organizations differ: the largest has over 400 devices, the smallest fewer than 40', () => {
    const sizes = [...Map.groupBy(ofKind('device'), ({ orgId }) => orgId).values()].map((all) => all.length);
    expect(sizes).toHaveLength(12);
    expect(Math.max(...sizes)).toBeGreaterThan(400);
    expect(Math.min(...sizes)).toBeLessThan(40);
  });

  test('of the two partners differ, and the larger partner comes first', () => {
    const partnerOf = new Map(ofKind('organization').map(({ id, partnerId }) => [id, partnerId]));
    const devices = Map.groupBy(ofKind('device'), ({ orgId }) => partnerOf.get(orgId));
    const [larger, smaller] = ofKind('partner').map(({ id }) => devices.get(id)?.length ?? 0);
    expect(larger).toBeGreaterThan((smaller ?? 0) * 2);
  });
});

describe('places', () => {
  test('number the records line by line and name each within its kind', () => {
    const located = [...demoFleet(NOW, fixedSecrets()).records];
    const ofThePlatform = located.filter(
      ({ record }) => record.kind === 'partner' || record.kind === 'filter',
    );
    expect(located.map(({ line }) => line)).toStrictEqual(located.map((_, index) => index + 1));
    expect(ofThePlatform.slice(0, 3).map(({ member }) => member)).toStrictEqual([
      'demo.partner[0]',
      'demo.partner[1]',
      'demo.filter[0]',
    ]);
  });
});

describe('sign-in details', () => {
  const { signIns, apiKey } = demoFleet(NOW, fixedSecrets());
  const users = ofKind('user');

  test('are those of a platform, a partner and an organization administrator, who may all manage users', () => {
    const whose = signIns.map(({ email, password, totpSecret }) =>
      users.find(
        (user) =>
          [user.email, user.password, user.totpSecret].join() === [email, password, totpSecret].join(),
      ),
    );
    expect(
      whose.map((user) => [user?.membership.scope, user?.isPlatformAdmin, user?.permissions]),
    ).toStrictEqual([
      ['system', true, ['users:write', 'devices:write']],
      ['partner', false, ['users:write', 'devices:write']],
      ['organization', false, ['users:write', 'devices:write']],
    ]);
  });

  test('belong to the only users with MFA enrolled', () => {
    const enrolled = users.filter(({ totpSecret }) => totpSecret !== null).map(({ email }) => email);
    expect(enrolled).toStrictEqual(signIns.map(({ email }) => email));
  });

  test('come with a key that reaches all organizations of the larger partner', () => {
    const key = ofKind('apiKey').find((record) => record.key === apiKey);
    const owner = users.find(({ id }) => id === key?.userId);
    const [larger] = ofKind('partner');
    expect([key?.orgId, key?.expiresAt]).toStrictEqual([null, null]);
    expect(owner?.membership).toStrictEqual({ scope: 'partner', partnerId: larger?.id, orgIds: null });
  });
});

function allIds(): readonly string[] {
  const patches = ofKind('device').flatMap((device) => device.patches?.map(({ id }) => id) ?? []);
  return [...RECORDS.map(({ id }) => id), ...patches].filter((id) => id !== null);
}

function withoutSecrets(record: FleetRecord): FleetRecord {
  switch (record.kind) {
    case 'user':
      return { ...record, password: '', totpSecret: record.totpSecret === null ? null : '' };
    case 'apiKey':
      return { ...record, key: '' };
    default:
      return record;
  }
}

function aWeekLater(device: DeviceRecord): DeviceRecord {
  const shift = (at: number | null): number | null => (at === null ? null : at + 7 * DAY_MS);
  return {
    ...device,
    enrolledAt: shift(device.enrolledAt),
    lastSeenAt: shift(device.lastSeenAt),
    quarantinedAt: shift(device.quarantinedAt),
    custom: new Map(
      [...device.custom].map(([key, value]) => [
        key,
        typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
          ? new Date(Date.parse(value) + 7 * DAY_MS).toISOString().slice(0, 10)
          : value,
      ]),
    ),
  };
}
