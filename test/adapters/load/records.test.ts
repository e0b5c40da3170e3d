import { describe, expect, test } from 'vitest';
import {
  ALERT,
  API_KEY,
  CUSTOM_FIELD,
  DEVICE,
  DEVICE_ID,
  FILTER,
  ORG_ID,
  ORGANIZATION,
  OTHER_ID,
  PARTNER,
  PARTNER_ID,
  PATCH_ID,
  SCRIPT,
  SITE,
  SITE_ID,
  USER,
  USER_ID,
  WHOLE_DEVICE,
} from './fleet.ts';
import { readOne } from './load-text.ts';

async function read(collection: string, members: object) {
  const { records, faults } = await readOne(collection, members);
  expect(faults).toStrictEqual([]);
  return records.map(({ record }) => record);
}

describe('partners, organizations and sites', () => {
  test('a partner is read', async () => {
    expect(await read('partners', PARTNER)).toStrictEqual([
      { kind: 'partner', id: PARTNER_ID, name: 'Partner' },
    ]);
  });

  test('an organization is read', async () => {
    expect(await read('organizations', ORGANIZATION)).toStrictEqual([
      { kind: 'organization', id: ORG_ID, partnerId: PARTNER_ID, name: 'Organization' },
    ]);
  });

  test('a site is read', async () => {
    expect(await read('sites', SITE)).toStrictEqual([
      { kind: 'site', id: SITE_ID, orgId: ORG_ID, name: 'Site' },
    ]);
  });

  test('ids are made canonical', async () => {
    const members = { ...PARTNER, id: 'ABCDEF00-0000-4000-8000-00000000ABCD' };
    expect(await read('partners', members)).toStrictEqual([
      { kind: 'partner', id: 'abcdef00-0000-4000-8000-00000000abcd', name: 'Partner' },
    ]);
  });
});

describe('users', () => {
  const account = {
    kind: 'user',
    id: USER_ID,
    email: 'ada@example.com',
    name: 'Ada',
    password: 'correct horse',
    permissions: [],
    isPlatformAdmin: false,
    totpSecret: null,
  };
  const ofPartner = { ...USER, scope: 'partner', orgId: null, partnerId: PARTNER_ID };

  test('of an organization have no permissions by default', async () => {
    expect(await read('users', USER)).toStrictEqual([
      { ...account, membership: { scope: 'organization', orgId: ORG_ID } },
    ]);
  });

  test('of a partner reach all its organizations by default', async () => {
    expect(await read('users', ofPartner)).toStrictEqual([
      { ...account, membership: { scope: 'partner', partnerId: PARTNER_ID, orgIds: null } },
    ]);
  });

  test.each([
    [[ORG_ID.toUpperCase()], [ORG_ID]],
    [[], []],
  ])('of a partner may be limited to the organizations %j', async (orgIds, expected) => {
    expect(await read('users', { ...ofPartner, orgIds })).toStrictEqual([
      { ...account, membership: { scope: 'partner', partnerId: PARTNER_ID, orgIds: expected } },
    ]);
  });

  test('of the whole system are read with every member', async () => {
    const members = {
      ...USER,
      scope: 'system',
      orgId: null,
      permissions: ['users:write'],
      isPlatformAdmin: true,
      totpSecret: 'JBSWY3DPEHPK3PXP',
    };
    expect(await read('users', members)).toStrictEqual([
      {
        ...account,
        membership: { scope: 'system' },
        permissions: ['users:write'],
        isPlatformAdmin: true,
        totpSecret: 'JBSWY3DPEHPK3PXP',
      },
    ]);
  });

  test.each([
    ['in lower case', 'jbswy3dpehpk3pxp', 'JBSWY3DPEHPK3PXP'],
    ['with padding', 'JBSWY3DPEHPK3PXPAE======', 'JBSWY3DPEHPK3PXPAE'],
    ['without its padding', 'JBSWY3DPEHPK3PXPAE', 'JBSWY3DPEHPK3PXPAE'],
    ['of 20 bytes', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  ])('may have a TOTP secret %s', async (_, totpSecret, expected) => {
    expect(await read('users', { ...USER, totpSecret })).toMatchObject([{ totpSecret: expected }]);
  });

  test.each([['12345678'], ['😀'.repeat(8)], ['😀'.repeat(256)], ['        ']])(
    'keep the password %j unchanged',
    async (password) => {
      expect(await read('users', { ...USER, password })).toMatchObject([{ password }]);
    },
  );

  test.each(['a@b', ' Ada@Example.COM ', 'ä@exämple'])('keep the email %j as given', async (email) => {
    expect(await read('users', { ...USER, email })).toMatchObject([{ email }]);
  });
});

describe('API keys', () => {
  const key = { kind: 'apiKey', id: OTHER_ID, key: API_KEY.key, userId: USER_ID, name: 'Deployment' };

  test('are read with only the required members', async () => {
    expect(await read('apiKeys', API_KEY)).toStrictEqual([
      { ...key, orgId: null, permissions: [], expiresAt: null },
    ]);
  });

  test('are read with organization, permissions and expiry', async () => {
    const members = { ...API_KEY, orgId: ORG_ID, permissions: ['users:write'], expiresAt: '2026-03-01' };
    expect(await read('apiKeys', members)).toStrictEqual([
      { ...key, orgId: ORG_ID, permissions: ['users:write'], expiresAt: Date.UTC(2026, 2, 1) },
    ]);
  });
});

describe('custom fields', () => {
  const field = { kind: 'customField', id: OTHER_ID, key: 'asset_tag', name: 'Asset tag' };

  test.each(['text', 'number', 'boolean', 'date'])('of type %s are read', async (type) => {
    expect(await read('customFields', { ...CUSTOM_FIELD, type })).toStrictEqual([
      { ...field, owner: { kind: 'organization', orgId: ORG_ID }, type, choices: [] },
    ]);
  });

  test('a dropdown of a partner is read with its choices', async () => {
    const { orgId: _, ...members } = CUSTOM_FIELD;
    const dropdown = { ...members, partnerId: PARTNER_ID, type: 'dropdown', choices: ['gold', 'silver'] };
    expect(await read('customFields', dropdown)).toStrictEqual([
      {
        ...field,
        owner: { kind: 'partner', partnerId: PARTNER_ID },
        type: 'dropdown',
        choices: ['gold', 'silver'],
      },
    ]);
  });
});

describe('devices', () => {
  const least = {
    kind: 'device',
    id: DEVICE_ID,
    orgId: ORG_ID,
    siteId: null,
    hostname: 'host-1',
    displayName: null,
    status: 'online',
    osType: null,
    osVersion: null,
    osBuild: null,
    architecture: null,
    agentVersion: null,
    enrolledAt: null,
    lastSeenAt: null,
    lastSeenIp: null,
    tags: [],
    deviceRole: 'unknown',
    lastUser: null,
    isHeadless: null,
    uptimeSeconds: null,
    watchdogStatus: null,
    quarantinedAt: null,
    rebootRequired: false,
    hardware: {
      manufacturer: null,
      model: null,
      serialNumber: null,
      cpuModel: null,
      gpuModel: null,
      cpuCores: null,
      ramTotalMb: null,
      diskTotalGb: null,
    },
    metrics: { cpuPercent: null, ramPercent: null, diskPercent: null },
    network: [],
    volumes: [],
    software: [],
    patches: null,
    custom: new Map(),
  };

  test('are read with only the required members', async () => {
    expect(await read('devices', DEVICE)).toStrictEqual([least]);
  });

  test('keep an empty list of patches, which differs from an absent one', async () => {
    expect(await read('devices', { ...DEVICE, patches: [] })).toStrictEqual([{ ...least, patches: [] }]);
  });

  test('treat null like an absent member', async () => {
    const optional = Object.keys(WHOLE_DEVICE).filter((name) => !(name in DEVICE));
    const members = { ...DEVICE, ...Object.fromEntries(optional.map((name) => [name, null])) };
    expect(await read('devices', members)).toStrictEqual([least]);
  });

  test('are read with every member', async () => {
    expect(await read('devices', WHOLE_DEVICE)).toStrictEqual([
      {
        kind: 'device',
        id: DEVICE_ID,
        orgId: ORG_ID,
        siteId: SITE_ID,
        hostname: 'host-1',
        displayName: 'Höst 😀',
        status: 'online',
        osType: 'windows',
        osVersion: '10.0',
        osBuild: '19045',
        architecture: 'x64',
        agentVersion: '1.2.3',
        enrolledAt: Date.UTC(2026, 0, 2),
        lastSeenAt: Date.UTC(2026, 1, 10, 8, 0, 0, 500),
        lastSeenIp: '10.0.0.1',
        tags: ['lab', ''],
        deviceRole: 'server',
        lastUser: 'CORP\\ada',
        isHeadless: true,
        uptimeSeconds: 86_400.5,
        watchdogStatus: 'connected',
        quarantinedAt: Date.UTC(2026, 1, 10, 8),
        rebootRequired: true,
        hardware: WHOLE_DEVICE.hardware,
        metrics: WHOLE_DEVICE.metrics,
        network: [
          { ipAddress: '10.0.0.1', publicIp: '192.0.2.1', macAddress: '00:00:5e:00:53:01' },
          { ipAddress: null, publicIp: null, macAddress: null },
        ],
        volumes: [
          { name: 'C:', filesystem: 'NTFS', totalGb: 237.5, freeGb: 0.1 },
          { name: '/data', filesystem: null, totalGb: null, freeGb: null },
        ],
        software: [
          { name: 'Firefox', version: '147.0' },
          { name: 'Notepad', version: null },
        ],
        patches: [
          { id: PATCH_ID, title: 'KB1', status: 'pending' },
          { id: null, title: 'KB2', status: 'installed' },
        ],
        custom: new Map<string, unknown>([
          ['asset_tag', 'A1'],
          ['cost', 12.5],
          ['leased', true],
          ['gone', null],
          ['constructor', 'x'],
        ]),
      },
    ]);
  });
});

describe('scripts, alerts and filters', () => {
  test('a script of an organization is read', async () => {
    expect(await read('scripts', { ...SCRIPT, description: '' })).toStrictEqual([
      {
        kind: 'script',
        id: OTHER_ID,
        owner: { kind: 'organization', orgId: ORG_ID },
        name: 'Clean up',
        description: '',
      },
    ]);
  });

  test('a script of a partner is read', async () => {
    expect(await read('scripts', { id: OTHER_ID, partnerId: PARTNER_ID, name: 'Clean up' })).toStrictEqual([
      {
        kind: 'script',
        id: OTHER_ID,
        owner: { kind: 'partner', partnerId: PARTNER_ID },
        name: 'Clean up',
        description: null,
      },
    ]);
  });

  test('an alert is read with or without a device', async () => {
    const alert = { kind: 'alert', id: OTHER_ID, orgId: ORG_ID, title: 'Disk full', severity: 'critical' };
    expect(await read('alerts', ALERT)).toStrictEqual([
      { ...alert, deviceId: null, message: null, status: 'active', createdAt: null },
    ]);
    expect(
      await read('alerts', {
        ...ALERT,
        deviceId: DEVICE_ID,
        message: 'C: is full',
        status: 'resolved',
        createdAt: '2026-02-10T09:00:00+01:00',
      }),
    ).toStrictEqual([
      {
        ...alert,
        deviceId: DEVICE_ID,
        message: 'C: is full',
        status: 'resolved',
        createdAt: Date.UTC(2026, 1, 10, 8),
      },
    ]);
  });

  test('a filter is read with its name trimmed and its conditions unchanged', async () => {
    const conditions = { operator: 'XOR', anything: [1, null] };
    expect(
      await read('filters', { ...FILTER, name: ' Servers ', description: ' all ', conditions }),
    ).toStrictEqual([
      {
        kind: 'filter',
        id: OTHER_ID,
        orgId: ORG_ID,
        partnerId: null,
        name: 'Servers',
        description: ' all ',
        conditions,
        createdBy: USER_ID,
      },
    ]);
  });
});
