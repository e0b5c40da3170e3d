/** GET /devices/duplicates (Contract: §10). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { addReporter, realInventory } from '#test/api/inventory/agents.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import { refusalOf, startService, type TestService } from '#test/api/service/service.ts';
import { aDevice, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const DUPLICATES = '/api/v1/devices/duplicates';

interface Body {
  readonly data: readonly {
    readonly devices: readonly { readonly id: string; readonly hostname: string }[];
    readonly because: readonly string[];
  }[];
  readonly nextCursor: string | null;
}

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

const ask = (query = '', name: EditorName = 'A') => editors.as(name)('GET', DUPLICATES + query);

async function list(query = '', name: EditorName = 'A'): Promise<Body> {
  const { status, text, body } = await ask(query, name);
  if (status !== 200) throw new Error(`no duplicates were answered: ${status} ${text}`);
  return body as Body;
}

const hostnames = ({ data }: Body) =>
  data.map(({ devices, because }) => [devices.map(({ hostname }) => hostname).join(' '), because.join(' ')]);

const withSerial = (serialNumber: string) => ({ hardware: { ...NO_HARDWARE, serialNumber } });
const withMac = (macAddress: string) => ({ network: [{ ipAddress: null, publicIp: null, macAddress }] });

async function add(...given: readonly Partial<DeviceRecord>[]): Promise<readonly DeviceRecord[]> {
  const devices = given.map((one) => aDevice({ orgId: editors.a, ...one }));
  await loadFleet(service.composition.backend, devices);
  return devices;
}

test('devices that are probably one machine are grouped, surest first, in rows like those of lists', async () => {
  const [a, b] = await add(
    { hostname: 'by-name' },
    { hostname: 'BY-NAME' },
    { hostname: 'mac-1', ...withMac('44:85:00:2b:90:bc') },
    { hostname: 'mac-2', ...withMac('44-85-00-2B-90-BC') },
    { hostname: 'uuid-1', systemUuid: '4c4c4544003430108048b6c04f503732' },
    { hostname: 'uuid-2', systemUuid: '4c4c4544003430108048b6c04f503732' },
    { hostname: 'serial-1', ...withSerial('S-1') },
    { hostname: 'serial-2', ...withSerial('s-1') },
    { hostname: 'alone' },
  );
  const listed = await list();
  expect(hostnames(listed)).toStrictEqual([
    ['serial-1 serial-2', 'serial'],
    ['uuid-1 uuid-2', 'uuid'],
    ['mac-1 mac-2', 'mac'],
    ['by-name BY-NAME', 'hostname'].map((text) => text) as [string, string],
  ]);
  expect(listed.nextCursor).toBeNull();
  const { data: rows } = (await editors.as('A')('GET', '/api/v1/devices?q=by-name')).body as {
    data: readonly unknown[];
  };
  expect(listed.data[3]?.devices).toStrictEqual(rows);
  expect([a?.id, b?.id].toSorted()).toStrictEqual(listed.data[3]?.devices.map(({ id }) => id).toSorted());
});

test('a loaded device without a serial number and the first report of that machine are one group', async () => {
  const [loaded] = await add({ hostname: 'GLPIxps' });
  const { report } = await addReporter(service, { orgId: editors.a });
  expect((await report(realInventory())).status).toBe(200);
  const { data } = await list();
  expect(data).toMatchObject([{ because: ['hostname'] }]);
  const ids = data[0]?.devices.map(({ id }) => id) ?? [];
  expect(ids).toHaveLength(2);
  expect(ids).toContain(loaded?.id);
  const { status } = await editors.as('A')('POST', `/api/v1/devices/${ids[0]}/merge`, { deviceId: ids[1] });
  expect(status).toBe(200);
  expect((await report(realInventory())).status).toBe(200);
  expect((await list()).data).toStrictEqual([]);
});

test('serial numbers that differ rule a pair out, placeholders do not', async () => {
  await add({ hostname: 'localhost', ...withSerial('S-1') }, { hostname: 'localhost', ...withSerial('S-2') });
  expect(hostnames(await list())).toStrictEqual([]);
  await add(
    { hostname: 'other', ...withSerial('Default string') },
    { hostname: 'other', ...withSerial('To be filled by O.E.M.') },
    { hostname: 'yet-another', ...withSerial('Default string') },
  );
  expect(hostnames(await list())).toStrictEqual([['other other', 'hostname']]);
});

test('UUIDs that differ rule a pair out where it has no two serial numbers', async () => {
  await add(
    { hostname: 'pc', systemUuid: '4c4c4544003430108048b6c04f503732', ...withSerial('S-1') },
    { hostname: 'pc', systemUuid: '4c4c4544003430108048b6c04f503733' },
  );
  expect(hostnames(await list())).toStrictEqual([]);
});

test('a pair disappears once it is merged or one device is deleted', async () => {
  const [a, b, c, d] = await add(
    { hostname: 'one' },
    { hostname: 'one' },
    { hostname: 'two' },
    { hostname: 'two' },
  );
  expect((await list()).data).toHaveLength(2);
  await editors.as('A')('POST', `/api/v1/devices/${a?.id}/merge`, { deviceId: b?.id });
  await editors.as('A')('DELETE', `/api/v1/devices/${c?.id}`);
  expect((await list()).data).toStrictEqual([]);
  expect((await editors.as('A')('GET', `/api/v1/devices/${d?.id}`)).status).toBe(200);
});

test('pages give each group once, and cursors are bound to user and query', async () => {
  await add(
    ...Array.from({ length: 7 }, (_, i) => [{ hostname: `pc-${i}` }, { hostname: `pc-${i}` }]).flat(),
  );
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Body = await list(
      `?limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(page.data.length).toBeLessThanOrEqual(3);
    seen.push(...hostnames(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toStrictEqual(hostnames(await list()));
  expect(new Set(seen.map(String)).size).toBe(7);
  const { nextCursor } = await list('?limit=3');
  const next = `cursor=${encodeURIComponent(nextCursor ?? '')}`;
  expect(refusalOf(await ask(`?${next}`, 'P'))).toStrictEqual([400, 'invalid_cursor']);
  expect(refusalOf(await ask(`?${next}&orgId=${editors.a}`))).toStrictEqual([400, 'invalid_cursor']);
  expect(refusalOf(await ask('?cursor=nonsense'))).toStrictEqual([400, 'invalid_cursor']);
  for (const limit of ['0', '201', 'abc', '1.5', '']) {
    expect((await ask(`?limit=${limit}`)).status).toBe(400);
  }
});

test('a group never spans organizations, and only groups in reach are listed', async () => {
  await add({ hostname: 'pc' }, { hostname: 'pc', orgId: editors.b });
  expect((await list('', 'P')).data).toStrictEqual([]);
  await add({ hostname: 'pc' });
  for (const name of ['A', 'P', 'P in A', 'user', 'key without'] as const) {
    expect((await list('', name)).data).toHaveLength(1);
  }
  expect((await list(`?orgId=${editors.a}`, 'system')).data).toHaveLength(1);
  for (const name of ['B', 'Q'] as const) expect((await list('', name)).data).toStrictEqual([]);
  expect((await list(`?orgId=${editors.b}`, 'P')).data).toStrictEqual([]);
  for (const orgId of [editors.b, newId()]) {
    expect(refusalOf(await ask(`?orgId=${orgId}`))).toStrictEqual([404, 'not_found']);
  }
  expect((await ask('?orgId=nonsense')).status).toBe(400);
});
