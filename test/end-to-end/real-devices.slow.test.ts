/** From an empty machine to real devices: start, load, import, preview, and everything that may be killed meanwhile. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, ServiceUnderTest } from './service-process.ts';

const INVENTORIES = resolve(import.meta.dirname, '../fixtures/glpi');
const ORG = '01900000-0000-7000-8000-0000000000a1';
const OTHER_ORG = '01900000-0000-7000-8000-0000000000a2';
const KEY = `fsk_${'k'.repeat(43)}`;

const FLEET = {
  partners: [{ id: '01900000-0000-7000-8000-000000000001', name: 'Partner' }],
  organizations: [
    { id: ORG, partnerId: '01900000-0000-7000-8000-000000000001', name: 'First' },
    { id: OTHER_ORG, partnerId: '01900000-0000-7000-8000-000000000001', name: 'Second' },
  ],
  users: [
    {
      id: '01900000-0000-7000-8000-0000000000b1',
      email: 'tech@example.org',
      name: 'Technician',
      password: 'correct horse battery',
      scope: 'partner',
      partnerId: '01900000-0000-7000-8000-000000000001',
    },
  ],
  apiKeys: [
    {
      id: '01900000-0000-7000-8000-0000000000c1',
      key: KEY,
      userId: '01900000-0000-7000-8000-0000000000b1',
      name: 'end to end',
    },
  ],
};

const REAL_FILES = [
  'computer_1.json',
  'computer_2.json',
  'networkequipment_1.json',
  'networkequipment_3.json',
  'phone_1.json',
  'printer_1.json',
  'printer_2.json',
].map((name) => join(INVENTORIES, name));

let fleetsift: ServiceUnderTest;
let service: RunningService;
let fleetFile: string;

beforeAll(async () => {
  fleetsift = await ServiceUnderTest.create({ DEMO: 'off', LOG_LEVEL: 'warn' });
  fleetFile = join(fleetsift.dataDir, 'fleet.json');
  service = await fleetsift.start();
  await writeFile(fleetFile, JSON.stringify(FLEET));
}, 120_000);

afterAll(() => fleetsift.dispose(), 120_000);

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** The names of the devices that a condition finds. */
async function preview(...conditions: readonly Condition[]): Promise<readonly string[]> {
  const answer = await ask({ operator: 'AND', conditions });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { totalCount: number; devices: { hostname: string }[] } };
  expect(data.totalCount).toBe(data.devices.length);
  return data.devices.map(({ hostname }) => hostname);
}

function ask(conditions: unknown): Promise<Response> {
  return fetch(`${service.url}/api/v1/filters/preview`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY },
    body: JSON.stringify({ conditions, limit: 100 }),
  });
}

const EVERYTHING: Condition = { field: 'orgId', operator: 'equals', value: ORG };

async function importAll(): Promise<readonly string[]> {
  const outcome = await fleetsift.run(['import', '--org', ORG, ...REAL_FILES]);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return outcome.stdout.trim().split('\n');
}

describe('from an empty directory', () => {
  test('a fleet is loaded beside the running service', async () => {
    expect(await fleetsift.run(['load', fleetFile])).toStrictEqual({
      code: 0,
      stdout: `${fleetFile}: loaded 1 partner, 2 organizations, 1 user, 1 API key\n`,
      stderr: '',
    });
    expect(await preview(EVERYTHING)).toStrictEqual([]);
  });

  test('real inventories become devices that filters find', async () => {
    expect(await importAll()).toHaveLength(REAL_FILES.length);
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
    expect(await preview({ field: 'osType', operator: 'equals', value: 'linux' })).toContain('glpixps');
    expect(await preview({ field: 'deviceRole', operator: 'equals', value: 'printer' })).toHaveLength(2);
    expect(await preview({ field: 'deviceRole', operator: 'equals', value: 'unknown' })).toStrictEqual([]);
    expect(
      await preview({ field: 'hardware.serialNumber', operator: 'equals', value: '640HP72' }),
    ).toStrictEqual(['glpixps']);
    expect(await preview({ field: 'software.installed', operator: 'equals', value: 'GITG' })).toStrictEqual([
      'glpixps',
    ]);
  });

  test('importing again updates devices and adds none', async () => {
    for (const line of await importAll()) expect(line).toContain(': updated ');
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('a partial inventory updates what it carries, and is refused for an unknown device', async () => {
    const partial = join(INVENTORIES, 'computer_1_partial_softs.json');
    expect(await fleetsift.run(['import', '--org', ORG, partial])).toMatchObject({ code: 0 });
    const refused = await fleetsift.run(['import', '--org', OTHER_ORG, partial]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${partial}: is a partial inventory of an unknown device`);
  });

  test('a bad file is named and changes nothing, and the good file beside it is imported', async () => {
    const half = join(fleetsift.dataDir, 'half.json');
    const text = await readFile(join(INVENTORIES, 'computer_1.json'), 'utf8');
    await writeFile(half, text.slice(0, text.length / 2));
    const good = join(INVENTORIES, 'printer_1.json');
    const outcome = await fleetsift.run(['import', '--org', OTHER_ORG, half, fleetFile, good]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(`${half}: `);
    expect(outcome.stderr).toContain(`${fleetFile}: `);
    expect(outcome.stdout).toContain(`${good}: added `);
    expect(await preview({ field: 'orgId', operator: 'equals', value: OTHER_ORG })).toHaveLength(1);
  });

  test('a load file with a fault is refused by line and member, and nothing of it is loaded', async () => {
    const bad = join(fleetsift.dataDir, 'bad.ndjson');
    const device = (n: number, status: string) =>
      JSON.stringify({
        kind: 'device',
        id: `01900000-0000-7000-8000-00000000d00${n}`,
        orgId: ORG,
        hostname: `loaded-${n}`,
        status,
      });
    await writeFile(bad, `${device(1, 'online')}\n${device(2, 'asleep')}\n`);
    const outcome = await fleetsift.run(['load', bad]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(`${bad}: nothing was loaded`);
    expect(outcome.stderr).toContain('line 2: device.status');
    expect(await preview({ field: 'hostname', operator: 'startsWith', value: 'loaded-' })).toStrictEqual([]);
  });

  test('a second service on the same data says so and ends', async () => {
    const outcome = await fleetsift.run(['serve'], { PORT: '0' });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('is running on the data directory');
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('the service exits with 0 when it is told to stop, and the next start has everything', async () => {
    expect(await service.stop()).toMatchObject({ code: 0 });
    service = await fleetsift.start();
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('after the service is killed, the next start takes over the running database', async () => {
    await service.kill();
    service = await fleetsift.start();
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('after the database is killed, requests get 503 until it is back, and nothing is lost', async () => {
    const serverOf = async () => {
      const content = await readFile(join(fleetsift.dataDir, 'postgres/postmaster.pid'), 'utf8').catch(
        () => '',
      );
      return content.split('\n')[0] ?? '';
    };
    const pid = await serverOf();
    process.kill(Number(pid), 'SIGKILL');
    const statuses = new Set<number>();
    // The children of a killed server may answer once more, so only a new server ends the wait.
    for (let status = 0; status !== 200 || ['', pid].includes(await serverOf()); ) {
      const answer = await ask({ operator: 'AND', conditions: [EVERYTHING] });
      status = answer.status;
      statuses.add(status);
      if (status === 503) expect(answer.headers.get('Retry-After')).toMatch(/^[0-9]+$/);
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toStrictEqual([]);
    await expect.poll(() => preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('after both are killed, the next start recovers', async () => {
    const [pid = ''] = (await readFile(join(fleetsift.dataDir, 'postgres/postmaster.pid'), 'utf8')).split(
      '\n',
    );
    await service.kill();
    process.kill(Number(pid), 'SIGKILL');
    service = await fleetsift.start();
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('commands work without the service too, and leave no database running', async () => {
    await service.stop();
    expect(await fleetsift.run(['load', fleetFile])).toMatchObject({ code: 0 });
    await expect(readFile(join(fleetsift.dataDir, 'postgres/postmaster.pid'))).rejects.toThrow(/ENOENT/);
    service = await fleetsift.start();
    expect(await preview(EVERYTHING)).toHaveLength(REAL_FILES.length);
  });

  test('an administrator and a key are created, and the key works', async () => {
    const created = await fleetsift.run(['admin', 'create', '--email', 'root@example.org']);
    expect(created.stdout).toMatch(/^created system administrator root@example\.org .*\npassword: \S{20}\n/);
    const again = await fleetsift.run(['admin', 'create', '--email', 'ROOT@example.org']);
    expect(again).toMatchObject({ code: 1, stderr: 'a user with this email already exists\n' });
    const key = await fleetsift.run(['key', 'create', '--email', 'root@example.org', '--name', 'test']);
    const answer = await fetch(`${service.url}/api/v1/filters`, {
      headers: { 'X-API-Key': key.stdout.trim() },
    });
    expect(answer.status).toBe(200);
  });
}, 180_000);
