/** GET /devices/:id: a test for each line of contract §10 about it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CustomValue } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { refusalOf, startService, type TestService, tracesOf } from '#test/api/service/service.ts';
import {
  aCustomField,
  aDevice,
  anAlert,
  anInventory,
  aSite,
  newId,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { importInventory } from '#test/support/inventories.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { DEVICES } from './device-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const pathOf = (id: string) => `${DEVICES}/${id}`;

test('a device is answered with every member and no other', async () => {
  const ids: Record<string, string> = {};
  const { ask, orgId } = await service.inNewOrg((orgId) => {
    const site = aSite({ orgId, name: 'Dock 7' });
    const device = aDevice({
      orgId,
      siteId: site.id,
      hostname: 'Srv-1',
      displayName: 'Büro',
      status: 'quarantined',
      osType: 'linux',
      osVersion: '24.04',
      osBuild: '6.8',
      architecture: 'x64',
      agentVersion: '1.15',
      enrolledAt: SOME_INSTANT,
      lastSeenAt: SOME_INSTANT + 1,
      lastSeenIp: '192.0.2.1',
      tags: ['vip'],
      deviceRole: 'server',
      lastUser: 'sam',
      isHeadless: true,
      uptimeSeconds: 12.5,
      watchdogStatus: 'connected',
      quarantinedAt: SOME_INSTANT + 2,
      rebootRequired: true,
      hardware: {
        manufacturer: 'Maker',
        model: null,
        serialNumber: 'S',
        cpuModel: null,
        gpuModel: null,
        cpuCores: 8,
        ramTotalMb: 16_384,
        diskTotalGb: 512,
      },
      metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3 },
      network: [{ ipAddress: '10.0.0.2', publicIp: null, macAddress: '00:11' }],
      volumes: [
        { name: '/', filesystem: 'ext4', totalGb: 465.8, freeGb: 451.8 },
        { name: '/mnt', filesystem: null, totalGb: null, freeGb: null },
      ],
      software: [
        { name: 'Zip', version: '1' },
        { name: 'Editor', version: null },
      ],
      patches: [
        { id: null, title: 'KB2', status: 'pending' },
        { id: null, title: 'KB1', status: 'failed' },
      ],
      custom: new Map<string, CustomValue>([
        ['rack', 'R7'],
        ['floor', 'two'],
        ['due', '2026-02-10'],
        ['undefined', 'hidden'],
      ]),
    });
    const alert = anAlert({
      orgId,
      deviceId: device.id,
      message: '95 %',
      severity: 'high',
      createdAt: SOME_INSTANT,
    });
    Object.assign(ids, { site: site.id, device: device.id, alert: alert.id });
    const owner = { kind: 'organization', orgId } as const;
    return [
      site,
      device,
      alert,
      anAlert({ orgId, deviceId: device.id, status: 'resolved' }),
      aCustomField({ owner, key: 'rack', name: 'Rack' }),
      aCustomField({ owner, key: 'floor', name: 'Floor', type: 'number' }),
      aCustomField({ owner, key: 'due', name: 'Due', type: 'date' }),
      aCustomField({ owner, key: 'owner', name: 'Owner', type: 'dropdown', choices: ['it'] }),
    ];
  });
  const answer = await ask('GET', pathOf(ids.device ?? ''));
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    id: ids.device,
    orgId,
    siteId: ids.site,
    hostname: 'Srv-1',
    displayName: 'Büro',
    status: 'quarantined',
    osType: 'linux',
    osVersion: '24.04',
    deviceRole: 'server',
    lastUser: 'sam',
    tags: ['vip'],
    lastSeenAt: '2026-02-10T08:00:00.001Z',
    enrolledAt: '2026-02-10T08:00:00.000Z',
    metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3 },
    patchesPending: true,
    alertsCritical: false,
    rebootRequired: true,
    organization: { id: orgId, name: expect.stringMatching(/^Contoso /) },
    site: { id: ids.site, name: 'Dock 7' },
    agentVersion: '1.15',
    osBuild: '6.8',
    architecture: 'x64',
    lastSeenIp: '192.0.2.1',
    isHeadless: true,
    uptimeSeconds: 12.5,
    watchdogStatus: 'connected',
    quarantinedAt: '2026-02-10T08:00:00.002Z',
    hardware: {
      manufacturer: 'Maker',
      model: null,
      serialNumber: 'S',
      cpuModel: null,
      gpuModel: null,
      cpuCores: 8,
      ramTotalMb: 16_384,
      diskTotalGb: 512,
    },
    network: [{ ipAddress: '10.0.0.2', publicIp: null, macAddress: '00:11' }],
    software: [
      { name: 'Editor', version: null },
      { name: 'Zip', version: '1' },
    ],
    patches: [
      { title: 'KB1', status: 'failed' },
      { title: 'KB2', status: 'pending' },
    ],
    alerts: [
      {
        id: ids.alert,
        title: 'Disk almost full',
        message: '95 %',
        severity: 'high',
        status: 'active',
        createdAt: new Date(SOME_INSTANT).toISOString(),
      },
    ],
    volumes: [
      { name: '/', filesystem: 'ext4', totalGb: 465.8, freeGb: 451.8 },
      { name: '/mnt', filesystem: null, totalGb: null, freeGb: null },
    ],
    totals: { network: 1, volumes: 2, software: 2, patches: 2, alerts: 1 },
    custom: [
      { key: 'due', name: 'Due', type: 'date', value: '2026-02-10' },
      { key: 'floor', name: 'Floor', type: 'number', value: null },
      { key: 'owner', name: 'Owner', type: 'dropdown', value: null },
      { key: 'rack', name: 'Rack', type: 'text', value: 'R7' },
    ],
  });
});

test('a device that never reported is answered with empty values', async () => {
  let id = '';
  const { ask, orgId } = await service.inNewOrg((orgId) => {
    const device = aDevice({ orgId, hostname: 'bare', status: 'pending' });
    id = device.id;
    return [device];
  });
  expect((await ask('GET', pathOf(id))).body).toStrictEqual({
    id,
    orgId,
    siteId: null,
    hostname: 'bare',
    displayName: null,
    status: 'pending',
    osType: null,
    osVersion: null,
    deviceRole: 'unknown',
    lastUser: null,
    tags: [],
    lastSeenAt: null,
    enrolledAt: null,
    metrics: { cpuPercent: null, ramPercent: null, diskPercent: null },
    patchesPending: false,
    alertsCritical: false,
    rebootRequired: false,
    organization: { id: orgId, name: expect.stringMatching(/^Contoso /) },
    site: null,
    agentVersion: null,
    osBuild: null,
    architecture: null,
    lastSeenIp: null,
    isHeadless: null,
    uptimeSeconds: null,
    watchdogStatus: null,
    quarantinedAt: null,
    hardware: null,
    network: [],
    volumes: [],
    software: [],
    patches: null,
    alerts: [],
    totals: { network: 0, volumes: 0, software: 0, patches: 0, alerts: 0 },
    custom: [],
  });
});

describe('reach', () => {
  test.each([
    ['system', ['A', 'B', 'C']],
    ['P-all', ['A', 'B']],
    ['P-subset', ['A']],
    ['P-none', []],
    ['key-A-to-C', []],
    ['key-P-to-A', ['A']],
    ['A-user', ['A']],
    ['B-user', ['B']],
    ['Q-all', ['C']],
  ] as const)('%s reads devices in reach, and gets 404 for others', async (caller, reached) => {
    const by = service.as(caller);
    const { devices, orgIds, unknownId } = service.tenants;
    const headers = { 'X-Request-Id': 'same' };
    const unknown = await by('GET', pathOf(unknownId), undefined, headers);
    expect(refusalOf(unknown)).toStrictEqual([404, 'not_found']);
    for (const org of ['A', 'B', 'C'] as const) {
      const device = devices.find(({ orgId }) => orgId === orgIds[org]);
      const answer = await by('GET', pathOf(device?.id ?? ''), undefined, headers);
      if (reached.some((name) => name === org)) expect(answer.body).toMatchObject({ id: device?.id });
      else expect([answer.status, answer.text]).toStrictEqual([404, unknown.text]);
    }
  });

  test('a request without credentials is 401', async () => {
    const answer = await service.as('none')('GET', pathOf(service.tenants.unknownId));
    expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
  });

  test('a malformed id is 404, and an id in upper case is accepted', async () => {
    for (const id of ['x', '1', `${newId()}0`]) {
      expect(refusalOf(await service.as('system')('GET', pathOf(id)))).toStrictEqual([404, 'not_found']);
    }
    const id = service.tenants.devices[0]?.id ?? '';
    const answer = await service.as('system')('GET', pathOf(id.toUpperCase()));
    expect(answer.body).toMatchObject({ id });
  });

  test('reading a device is not audited', async () => {
    const before = await tracesOf(service);
    const id = service.tenants.devices[0]?.id ?? '';
    expect((await service.as('A-user')('GET', pathOf(id))).status).toBe(200);
    expect(await tracesOf(service)).toStrictEqual(before);
  });

  test('custom fields of the organization and of its partner are shown, and no others', async () => {
    const id = service.tenants.devices[0]?.id ?? '';
    const answer = await service.as('system')('GET', pathOf(id));
    expect(
      (answer.body as { custom: readonly { key: string }[] }).custom.map(({ key }) => key),
    ).toStrictEqual(['of_a', 'of_p']);
  });
});

describe('the ETag of a device', () => {
  /** The ETags before and after the device is loaded with a change. */
  const tagsAround = async (change: Partial<DeviceRecord>) => {
    const { ask, orgId } = await service.inNewOrg((orgId) => [
      aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack' }),
    ]);
    const device = aDevice({ orgId, hostname: 'tagged', tags: ['a'], custom: new Map([['rack', 'R7']]) });
    const load = (record: DeviceRecord) => loadFleet(service.composition.backend, [record]);
    const readTag = async () => (await ask('GET', pathOf(device.id))).headers.get('etag');
    await load(device);
    const before = await readTag();
    await load({ ...device, ...change });
    return [before, await readTag()] as const;
  };

  test.each<[string, Partial<DeviceRecord>]>([
    ['its display name', { displayName: 'New' }],
    ['its tags', { tags: ['a', 'b'] }],
    ['a custom value', { custom: new Map([['rack', 'R8']]) }],
    ['maintenance', { status: 'maintenance' }],
    ['being decommissioned', { status: 'decommissioned' }],
  ])('changes with %s', async (_what, change) => {
    const [before, after] = await tagsAround(change);
    expect(before).toMatch(/^"[0-9a-f]{16}"$/);
    expect(after).toMatch(/^"[0-9a-f]{16}"$/);
    expect(after).not.toBe(before);
  });

  test.each<[string, Partial<DeviceRecord>]>([
    ['goes offline', { status: 'offline' }],
    ['is updating', { status: 'updating' }],
    [
      'reports',
      {
        hostname: 'renamed',
        lastSeenAt: SOME_INSTANT,
        lastUser: 'kim',
        osVersion: '2',
        uptimeSeconds: 1,
        rebootRequired: true,
        metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3 },
        software: [{ name: 'New', version: null }],
        patches: [{ id: null, title: 'KB', status: 'pending' }],
      },
    ],
  ])('stays the same when the device %s', async (_what, change) => {
    const [before, after] = await tagsAround(change);
    expect(after).toBe(before);
  });

  test('stays the same when an inventory comes in', async () => {
    const { ask, orgId } = await service.inNewOrg(() => []);
    const { backend } = service.composition;
    const inventory = anInventory({ lastUser: 'kim' });
    const first = await importInventory(backend, orgId, inventory, SOME_INSTANT);
    const path = pathOf(first.ok ? first.value.deviceId : '');
    const before = (await ask('GET', path)).headers.get('etag');
    await importInventory(backend, orgId, { ...inventory, takenAt: SOME_INSTANT + 9e9 }, SOME_INSTANT + 9e9);
    const answer = await ask('GET', path);
    expect(answer.headers.get('etag')).toBe(before);
    expect(answer.body).toMatchObject({ lastSeenAt: new Date(SOME_INSTANT + 9e9).toISOString() });
  });

  test('does not cover the whole answer, so If-None-Match has no effect', async () => {
    const id = service.tenants.devices[0]?.id ?? '';
    const by = service.as('A-user');
    const tag = (await by('GET', pathOf(id))).headers.get('etag') ?? '';
    expect((await by('GET', pathOf(id), undefined, { 'If-None-Match': tag })).status).toBe(200);
  });
});
