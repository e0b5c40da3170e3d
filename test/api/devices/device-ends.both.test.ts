/** DELETE /devices/:id and POST /devices/:id/merge, with real reports (Contract: §10). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { addReporter, type Reporter, realInventory, startAgentService } from '#test/api/inventory/agents.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import { type Answer, problemOf, refusalOf, SEARCH, type TestService } from '#test/api/service/service.ts';
import { aCustomField, aDevice, anAlert, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const DEVICES = '/api/v1/devices';
const ALERTS = '/api/v1/alerts';

type DeviceBody = Readonly<Record<string, unknown>> & { readonly id: string; readonly hostname: string };

let service: TestService;
let editors: Editors;
let reporter: Reporter;

beforeAll(async () => {
  service = await startAgentService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
  reporter = await addReporter(service, { orgId: editors.a });
});

const ask = (
  method: string,
  path: string,
  body?: unknown,
  name: EditorName = 'A',
  headers?: Record<string, string>,
) => editors.as(name)(method, path, body, headers);
const read = (id: string, name: EditorName = 'A') => ask('GET', `${DEVICES}/${id}`, undefined, name);
const merge = (id: string, deviceId: unknown, more: object = {}, name: EditorName = 'A') =>
  ask('POST', `${DEVICES}/${id}/merge`, { deviceId, ...more }, name);
const remove = (id: string, name: EditorName = 'A', headers?: Record<string, string>) =>
  ask('DELETE', `${DEVICES}/${id}`, undefined, name, headers);

function bodyOf({ status, text, body }: Answer): DeviceBody {
  if (status !== 200) throw new Error(`no device was answered: ${status} ${text}`);
  return body as DeviceBody;
}

async function add(given: Partial<DeviceRecord> = {}): Promise<DeviceRecord> {
  const device = aDevice({ orgId: editors.a, ...given });
  await loadFleet(service.composition.backend, [device]);
  return device;
}

const withSerial = (serialNumber: string) => ({ hardware: { ...NO_HARDWARE, serialNumber } });

/** What a machine reports of itself. */
interface Machine {
  readonly deviceid: string;
  readonly serial?: string;
  readonly uuid?: string;
  readonly mac?: string;
}

/** The id of the device that the report of a machine leads to. */
async function report({ deviceid, serial, uuid, mac }: Machine): Promise<string> {
  const { content: _, ...document } = realInventory();
  const name = `reported-${newId()}`;
  const answer = await reporter.report({
    ...document,
    deviceid,
    content: {
      versionclient: 'GLPI-Agent_v1.11',
      hardware: { name, ...(uuid !== undefined && { uuid }) },
      ...(serial !== undefined && { bios: { ssn: serial } }),
      ...(mac !== undefined && {
        networks: [{ description: 'eth0', mac, type: 'ethernet', virtualdev: false }],
      }),
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const { data } = (await ask('GET', `${DEVICES}?limit=200`)).body as { data: readonly DeviceBody[] };
  const found = data.find(({ hostname }) => hostname === name);
  if (found === undefined) throw new Error('the report led to no device');
  return found.id;
}

const entriesOf = async (action: string) =>
  (await service.probe.auditEntries())
    .filter((entry) => entry.action === action && entry.orgId === editors.a)
    .map(({ result, resourceType, resourceId, details }) => ({ result, resourceType, resourceId, details }));

const countOf = async () => ((await ask('GET', DEVICES)).body as { readonly totalCount: number }).totalCount;

describe('DELETE /devices/:id', () => {
  test('removes the device with all that belongs to it, and answers 204', async () => {
    const device = await add({
      ...{ hostname: 'ANR-WS-0001', displayName: 'Front desk', tags: ['vip'] },
      patches: [{ id: null, title: `KB-${editors.a}`, status: 'pending' }],
      software: [{ name: 'Word', version: '1' }],
    });
    const others = await add();
    const alert = anAlert({ orgId: editors.a, deviceId: device.id, title: 'About the front desk' });
    const other = anAlert({ orgId: editors.a, deviceId: null, title: 'About nothing' });
    await loadFleet(service.composition.backend, [alert, other]);
    const answer = await remove(device.id);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    expect(refusalOf(await read(device.id))).toStrictEqual([404, 'not_found']);
    expect(refusalOf(await remove(device.id))).toStrictEqual([404, 'not_found']);
    const { data } = (await ask('GET', ALERTS)).body as { data: readonly { id: string }[] };
    expect(data.map(({ id }) => id)).toStrictEqual([other.id]);
    expect((await ask('GET', '/api/v1/patches')).body).toMatchObject({ data: [] });
    for (const text of ['front desk', 'anr-ws']) {
      expect((await ask('GET', `${SEARCH}?q=${encodeURIComponent(text)}`)).text).not.toContain(device.id);
    }
    expect(await countOf()).toBe(1);
    expect(bodyOf(await read(others.id)).id).toBe(others.id);
  });

  test('is audited once, with the name', async () => {
    const { id } = await add({ hostname: 'ANR-WS-0001', displayName: 'Front desk' });
    await remove(id);
    expect(await entriesOf('device.delete')).toStrictEqual([
      { result: 'success', resourceType: 'device', resourceId: id, details: { name: 'Front desk' } },
    ]);
  });

  test('honors If-Match', async () => {
    const { id } = await add();
    const tag = (await read(id)).headers.get('etag') ?? '';
    await ask('PATCH', `${DEVICES}/${id}`, { tags: ['changed'] });
    expect(refusalOf(await remove(id, 'A', { 'If-Match': tag }))).toStrictEqual([412, 'precondition_failed']);
    expect(refusalOf(await remove(id, 'A', { 'If-Match': '3' }))).toStrictEqual([412, 'precondition_failed']);
    const current = (await read(id)).headers.get('etag') ?? '';
    expect((await remove(id, 'A', { 'If-Match': current })).status).toBe(204);
    const another = await add();
    expect((await remove(another.id, 'A', { 'If-Match': '*' })).status).toBe(204);
  });

  test('frees the keys of the device, so a machine that reports again is a new device', async () => {
    const machine = { deviceid: 'pc-2026', serial: 'S-1', uuid: newId(), mac: '44:85:00:2b:90:bc' };
    const id = await report(machine);
    await remove(id);
    const again = await report(machine);
    expect(again).not.toBe(id);
    for (const sign of ['serial', 'uuid'] as const) {
      expect(await report({ deviceid: newId(), [sign]: machine[sign] })).toBe(again);
    }
    expect(await countOf()).toBe(1);
    expect((await entriesOf('device.enrolled')).map(({ resourceId }) => resourceId)).toStrictEqual([
      id,
      again,
    ]);
  });

  test('needs a permission, and is 404 for a device out of reach', async () => {
    const { id } = await add();
    for (const name of ['user', 'key without'] as const) {
      expect(refusalOf(await remove(id, name))).toStrictEqual([403, 'forbidden']);
    }
    for (const name of ['B', 'Q'] as const) {
      expect(refusalOf(await remove(id, name))).toStrictEqual([404, 'not_found']);
    }
    for (const unknown of [newId(), 'nonsense']) {
      expect(refusalOf(await remove(unknown))).toStrictEqual([404, 'not_found']);
    }
    expect((await remove(id, 'P in A')).status).toBe(204);
  });
});

describe('POST /devices/:id/merge', () => {
  test('answers the whole device and deletes the other', async () => {
    const [kept, gone] = [await add({ hostname: 'kept' }), await add({ hostname: 'gone' })];
    const answer = await merge(kept.id, gone.id);
    expect(bodyOf(answer)).toStrictEqual(bodyOf(await read(kept.id)));
    expect(answer.headers.get('etag')).toBe((await read(kept.id)).headers.get('etag'));
    expect(refusalOf(await read(gone.id))).toStrictEqual([404, 'not_found']);
    expect(await entriesOf('device.merge')).toStrictEqual([
      {
        ...{ result: 'success', resourceType: 'device', resourceId: kept.id },
        details: { mergedId: gone.id, name: 'gone' },
      },
    ]);
  });

  test('keeps id, names, tags of both, custom values, status, site and the earlier enrolment', async () => {
    const own = { kind: 'organization', orgId: editors.a } as const;
    await loadFleet(service.composition.backend, [
      ...['rack', 'owner', 'room'].map((key) => aCustomField({ owner: own, key })),
      aCustomField({ owner: own, key: 'seats', type: 'number' }),
    ]);
    const kept = await add({
      ...{ displayName: 'Mine', status: 'maintenance', tags: ['a', 'b'], enrolledAt: SOME_INSTANT },
      custom: new Map<string, string>([
        ['rack', 'R1'],
        ['seats', 'many'],
      ]),
    });
    const gone = await add({
      ...{ displayName: 'Theirs', status: 'online', tags: ['b', 'c'], enrolledAt: SOME_INSTANT - 5_000 },
      custom: new Map<string, string | number>([
        ['rack', 'R2'],
        ['owner', 'Ada'],
        ['seats', 4],
      ]),
      lastSeenAt: SOME_INSTANT + 1,
    });
    const merged = bodyOf(await merge(kept.id, gone.id));
    expect(merged).toMatchObject({
      ...{ id: kept.id, displayName: 'Mine', status: 'maintenance', tags: ['a', 'b', 'c'] },
      ...{ siteId: kept.siteId, enrolledAt: new Date(SOME_INSTANT - 5_000).toISOString() },
    });
    const values = (merged.custom as readonly { key: string; value: unknown }[]).map(({ key, value }) => [
      key,
      value,
    ]);
    expect(Object.fromEntries(values)).toStrictEqual({ rack: 'R1', owner: 'Ada', room: null, seats: 4 });
  });

  test('takes the other’s display name if there is none', async () => {
    const [kept, gone] = [await add({ displayName: null }), await add({ displayName: 'Theirs' })];
    expect(bodyOf(await merge(kept.id, gone.id)).displayName).toBe('Theirs');
  });

  const reported = (n: number): Partial<DeviceRecord> => ({
    ...{ hostname: `pc-${n}`, osType: n === 1 ? 'windows' : 'linux', osVersion: `v${n}`, osBuild: `b${n}` },
    ...{ architecture: n === 1 ? 'x64' : 'arm64', agentVersion: `agent ${n}`, lastSeenIp: `192.0.2.${n}` },
    ...{ deviceRole: n === 1 ? 'server' : 'nas', lastUser: `USER-${n}`, isHeadless: n === 1 },
    ...{ uptimeSeconds: n, watchdogStatus: n === 1 ? 'connected' : 'failover', rebootRequired: n === 1 },
    hardware: { ...NO_HARDWARE, model: `Model ${n}`, cpuCores: n },
    metrics: { cpuPercent: n, ramPercent: n, diskPercent: n },
    network: [{ ipAddress: `10.0.0.${n}`, publicIp: null, macAddress: `44:85:00:00:00:0${n}` }],
    software: [{ name: `Title ${n} of ${editors.a}`, version: `${n}` }],
    patches: [{ id: null, title: `KB${n} of ${editors.a}`, status: n === 1 ? 'pending' : 'failed' }],
  });

  /** The members of a device's answer that its machine does not report. */
  const OWN = ['id', 'displayName', 'status', 'tags', 'custom', 'siteId', 'site', 'quarantinedAt'] as const;
  const NOT_REPORTED = new Set<string>([
    ...OWN,
    'enrolledAt',
    'alerts',
    'alertsCritical',
    'orgId',
    'organization',
  ]);
  const reportedOf = (body: DeviceBody) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_REPORTED.has(name)));

  test.each([
    ['this device, which was seen last', 1, SOME_INSTANT + 1, SOME_INSTANT],
    ['the other, which was seen last', 2, SOME_INSTANT, SOME_INSTANT + 1],
    ['this device if both were seen at once', 1, SOME_INSTANT, SOME_INSTANT],
    ['this device if the other was never seen', 1, SOME_INSTANT, null],
    ['the other if this device was never seen', 2, null, SOME_INSTANT],
  ])('takes the reported values of %s', async (_, from, keptAt, goneAt) => {
    const kept = await add({ ...reported(1), lastSeenAt: keptAt });
    const gone = await add({ ...reported(2), lastSeenAt: goneAt });
    const before = [bodyOf(await read(kept.id)), bodyOf(await read(gone.id))];
    const merged = bodyOf(await merge(kept.id, gone.id));
    expect(reportedOf(merged)).toStrictEqual(reportedOf(before[from - 1] as DeviceBody));
    // Filters, lists and searches use the merged values at once.
    const matches = async (q: string) =>
      ((await ask('GET', `${DEVICES}?q=${encodeURIComponent(q)}`)).body as { totalCount: number }).totalCount;
    for (const n of [1, 2]) {
      const count = n === from ? 1 : 0;
      const text =
        `host:pc-${n} cpu:${n} cores:${n} user:user-${n} software:"=Title ${n} of ${editors.a}"`.replace(
          '"=',
          '="',
        );
      expect([n, await matches(text)]).toStrictEqual([n, count]);
      expect([n, await matches(`mac:44:85:00:00:00:0${n}`)]).toStrictEqual([n, count]);
      const found = (await ask('GET', `${SEARCH}?q=user-${n}`)).text.includes(kept.id);
      expect([n, found]).toStrictEqual([n, n === from]);
    }
    const patches = (await ask('GET', '/api/v1/patches')).body as { data: readonly { title: string }[] };
    expect(patches.data.map(({ title }) => title)).toStrictEqual([`KB${from} of ${editors.a}`]);
    expect((await ask('GET', '/api/v1/summary')).body).toMatchObject({
      devices: { total: 1 },
      patchesPending: from === 1 ? 1 : 0,
      rebootRequired: from === 1 ? 1 : 0,
    });
  });

  test('moves alerts and counts critical ones', async () => {
    const [kept, gone] = [await add(), await add()];
    const alerts = [kept, gone].flatMap(({ id: deviceId }) => [
      anAlert({ orgId: editors.a, deviceId, severity: 'critical', status: 'active' }),
      anAlert({ orgId: editors.a, deviceId, severity: 'low', status: 'resolved' }),
    ]);
    await loadFleet(service.composition.backend, alerts);
    const merged = bodyOf(await merge(kept.id, gone.id));
    expect(merged.alerts).toHaveLength(2);
    expect(merged.alertsCritical).toBe(true);
    const { data } = (await ask('GET', `${ALERTS}?deviceId=${kept.id}`)).body as { data: readonly unknown[] };
    expect(data).toHaveLength(4);
  });

  describe('the keys of both devices lead to the merged one:', () => {
    const [one, two] = [
      { deviceid: 'one', uuid: '4c4c4544-0034-3010-8048-b6c04f503701' },
      { deviceid: 'two', uuid: '4c4c4544-0034-3010-8048-b6c04f503702' },
    ];

    test('deviceids and UUIDs, also in later reports', async () => {
      const [a, b] = [await report(one), await report(two)];
      expect(b).not.toBe(a);
      expect((await merge(a, b, { force: true })).status).toBe(200);
      for (let round = 0; round < 2; round++) {
        expect([await report(one), await report(two)]).toStrictEqual([a, a]);
        expect([await report({ deviceid: 'one' }), await report({ deviceid: 'two' })]).toStrictEqual([a, a]);
        expect(await report({ ...one, deviceid: `new-${round}` })).toBe(a);
        expect(await report({ ...two, deviceid: `newer-${round}` })).toBe(a);
      }
      expect(await countOf()).toBe(1);
    });

    test.each(['this one', 'the other'])('serial numbers, if %s was seen last', async (last) => {
      const machines = [
        { deviceid: 'one', serial: 'S-1' },
        { deviceid: 'two', serial: 'S-2' },
      ] as const;
      const [a, b] = [await report(machines[0]), await report(machines[1])];
      await report(machines[last === 'this one' ? 0 : 1]);
      expect((await merge(a, b, { force: true })).status).toBe(200);
      for (const machine of [...machines, ...machines]) {
        expect(await report(machine)).toBe(a);
        expect(await report({ ...machine, deviceid: newId() })).toBe(a);
      }
      // The device has serial numbers, so any other belongs to another machine.
      expect(await report({ deviceid: 'one', serial: 'S-3' })).not.toBe(a);
    });

    test('MAC addresses', async () => {
      const [a, b] = [
        await report({ deviceid: 'one', mac: '44:85:00:2b:90:01' }),
        await report({ deviceid: 'two', mac: '44:85:00:2b:90:02' }),
      ];
      await merge(a, b);
      for (const mac of ['44:85:00:2b:90:01', '44:85:00:2b:90:02', '44-85-00-2B-90-01']) {
        expect(await report({ deviceid: newId(), mac })).toBe(a);
      }
    });

    test('until the merged device is deleted', async () => {
      const [a, b] = [await report(one), await report(two)];
      await merge(a, b, { force: true });
      await remove(a);
      const again = [await report(one), await report(two)];
      expect(new Set([a, b, ...again]).size).toBe(4);
    });
  });

  describe('machines that differ', () => {
    test('by real serial numbers are refused without force, and nothing changes', async () => {
      const [kept, gone] = [await add(withSerial('S-1')), await add(withSerial('S-2'))];
      for (const more of [{}, { force: false }]) {
        expect(refusalOf(await merge(kept.id, gone.id, more))).toStrictEqual([409, 'different_machines']);
      }
      expect((await read(gone.id)).status).toBe(200);
      expect(await entriesOf('device.merge')).toStrictEqual([]);
      expect((await merge(kept.id, gone.id, { force: true })).status).toBe(200);
      expect((await entriesOf('device.merge'))[0]?.details).toMatchObject({ forced: true });
    });

    test('by UUIDs are refused if a serial number is missing or a placeholder', async () => {
      const given = (serialNumber: string | null, systemUuid: string) => ({
        hardware: { ...NO_HARDWARE, serialNumber },
        systemUuid,
      });
      const kept = await add(given('To be filled by O.E.M.', 'u-1'));
      const gone = await add(given('S-2', 'u-2'));
      expect(refusalOf(await merge(kept.id, gone.id))).toStrictEqual([409, 'different_machines']);
      const same = await add(given('s-2', 'u-3'));
      expect((await merge(gone.id, same.id)).status).toBe(200);
      // After a merge all serial numbers and UUIDs of both devices count.
      const third = await add({ systemUuid: 'u-3' });
      expect((await merge(gone.id, third.id)).status).toBe(200);
    });

    test('become one device by force, which later merges with duplicates of either', async () => {
      const [kept, gone] = [await add(withSerial('S-1')), await add(withSerial('S-2'))];
      await merge(kept.id, gone.id, { force: true });
      for (const serial of ['S-1', 'S-2']) {
        const third = await add(withSerial(serial));
        expect((await merge(kept.id, third.id)).status).toBe(200);
      }
      expect(refusalOf(await merge(kept.id, (await add(withSerial('S-3'))).id))[0]).toBe(409);
    });
  });

  test('answers 404 for a foreign or unknown id, and 400 for a malformed id or the same device', async () => {
    const device = await add();
    const foreign = aDevice({ orgId: editors.b });
    await loadFleet(service.composition.backend, [foreign]);
    for (const name of ['A', 'P', 'system'] as const) {
      expect(refusalOf(await merge(device.id, foreign.id, {}, name))).toStrictEqual([404, 'not_found']);
      expect(refusalOf(await merge(foreign.id, device.id, {}, name))).toStrictEqual([404, 'not_found']);
    }
    expect(refusalOf(await merge(device.id, newId()))).toStrictEqual([404, 'not_found']);
    expect(refusalOf(await merge(newId(), device.id))).toStrictEqual([404, 'not_found']);
    expect(refusalOf(await merge('nonsense', device.id))).toStrictEqual([404, 'not_found']);
    for (const bad of ['nonsense', 7, null, undefined, device.id, device.id.toUpperCase()]) {
      const answer = await merge(device.id, bad);
      expect(refusalOf(answer)).toStrictEqual([400, 'validation_failed', ['deviceId', 'invalid_value']]);
    }
    const other = await add();
    expect(problemOf(await merge(device.id, other.id, { force: 'yes' })).errors?.[0]?.path).toBe('force');
    expect((await read(other.id)).status).toBe(200);
  });

  test('needs a permission, and both devices in reach', async () => {
    const [kept, gone] = [await add(), await add()];
    for (const name of ['user', 'key without'] as const) {
      expect(refusalOf(await merge(kept.id, gone.id, {}, name))).toStrictEqual([403, 'forbidden']);
    }
    for (const name of ['B', 'Q'] as const) {
      expect(refusalOf(await merge(kept.id, gone.id, {}, name))).toStrictEqual([404, 'not_found']);
    }
    expect((await merge(kept.id, gone.id, {}, 'P in A')).status).toBe(200);
  });
});
