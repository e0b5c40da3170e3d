/** Every real inventory makes the same device by import and by report (Contract: §9, §13). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEditors } from '#test/api/service/editors.ts';
import type { TestService } from '#test/api/service/service.ts';
import { movableClock } from '#test/support/builders.ts';
import { addReporter, PLAIN, realInventory, send, startAgentService } from './agents.ts';

/** After the boot of every machine in the fixtures. */
const NOW = Date.UTC(2026, 1, 10, 8);
const { clock } = movableClock(NOW);

let service: TestService;

beforeAll(async () => {
  service = await startAgentService({ clock });
});
afterAll(() => service.close());

const NO_METRICS = { cpuPercent: null, ramPercent: null, diskPercent: null };

/** Values in the files that the mapping once dropped. The uptime is that of a report. */
const EXPECTED: Readonly<Record<string, object>> = {
  computer_1: {
    hostname: 'glpixps',
    tags: ['000005'],
    metrics: { ...NO_METRICS, diskPercent: 79.3 },
    // Up since 9 June 2020, 05:58:08 UTC.
    uptimeSeconds: (NOW - Date.UTC(2020, 5, 9, 5, 58, 8)) / 1_000,
    totals: { network: 5, volumes: 6, software: 6, patches: 0, alerts: 0 },
    patches: null,
  },
  computer_2: { hostname: 'COMP1', tags: [], metrics: NO_METRICS, volumes: [], uptimeSeconds: null },
  networkequipment_1: {
    hostname: 'ucs6248up-cluster-pa3-B',
    metrics: { ...NO_METRICS, cpuPercent: 4 },
    uptimeSeconds: 41_665_338,
  },
  networkequipment_3: { hostname: 'HP-2530-48G', metrics: NO_METRICS, uptimeSeconds: 788_940 },
  phone_1: {
    hostname: 'Mi9TPro-TéléphoneM',
    metrics: { ...NO_METRICS, diskPercent: 99.3 },
    uptimeSeconds: null,
    volumes: [3.4, 50.7, 50.7, 50.7].map((totalGb, i) => ({
      name: `Volume ${i + 1}`,
      filesystem: null,
      totalGb,
      freeGb: i === 0 ? 0 : 32.9,
    })),
  },
  printer_1: { hostname: 'NPIF2BE10', metrics: NO_METRICS, uptimeSeconds: 610_001 },
  printer_2: { hostname: 'MX5970', metrics: NO_METRICS, uptimeSeconds: 696_401 },
};

const FILES = readdirSync(join(import.meta.dirname, '../../fixtures/glpi'))
  .filter((name) => name.endsWith('.json') && !name.includes('partial'))
  .map((name) => name.replace('.json', ''));

test('every file has expected values', () => {
  expect(FILES.toSorted()).toStrictEqual(Object.keys(EXPECTED).toSorted());
});

test.each(FILES)('%s makes the same device by import and by report', async (file) => {
  const editors = await addEditors(service);
  const ask = editors.as('A');
  const only = async () => {
    const { body } = await ask('GET', '/api/v1/devices');
    const { data } = body as { data: readonly { id: string }[] };
    expect(data).toHaveLength(1);
    return (await ask('GET', `/api/v1/devices/${data[0]?.id}`)).body as Record<string, unknown>;
  };
  const inventory = realInventory(file);
  const token = await service.issueToken(editors.idOf('A') as never);
  const headers = { Authorization: `Bearer ${token}` };
  const imported = await send(service, inventory, { ...PLAIN, headers }, '/api/v1/inventory');
  expect(imported.status).toBe(201);
  const byImport = await only();
  const { report } = await addReporter(service, { orgId: editors.a as never });
  expect((await report(inventory)).body).toStrictEqual({ status: 'ok' });
  const byReport = await only();
  expect(byReport).toMatchObject(EXPECTED[file] ?? {});
  expect(byReport).toMatchObject({ status: 'online', lastSeenAt: new Date(NOW).toISOString() });
  const { status: _, lastSeenAt, lastSeenIp: __, uptimeSeconds, ...same } = byReport;
  expect(byImport).toMatchObject(same);
  // An import counts the uptime only up to the date of the inventory.
  const elapsed = (Date.parse(String(lastSeenAt)) - Date.parse(String(byImport.lastSeenAt))) / 1_000;
  const counts = file === 'computer_1' ? Number(uptimeSeconds) - elapsed : uptimeSeconds;
  expect(byImport.uptimeSeconds).toBe(counts);
});

test.each([
  ['computer_1_partial_softs', realInventory('computer_1_partial_softs'), ['software']],
  [
    'one with other drives',
    withoutUnchanged({ drives: [{ type: '/', total: 100, free: 10 }] }),
    ['metrics', 'totals', 'volumes'],
  ],
])('a partial inventory changes only what it carries: %s', async (_, partial, changed) => {
  const editors = await addEditors(service);
  const { report } = await addReporter(service, { orgId: editors.a as never });
  const whole = async () => {
    const { body } = await editors.as('A')('GET', '/api/v1/devices');
    const [{ id } = { id: '' }] = (body as { data: readonly { id: string }[] }).data;
    return (await editors.as('A')('GET', `/api/v1/devices/${id}`)).body as Record<string, unknown>;
  };
  await report(realInventory());
  const before = await whole();
  await report(partial);
  const after = await whole();
  const differs = (name: string) => !isDeepStrictEqual(after[name], before[name]);
  expect(Object.keys(before).filter(differs).toSorted()).toStrictEqual(changed);
});

test("the README's first example finds a Windows machine that reported by itself", async () => {
  const editors = await addEditors(service);
  const { report } = await addReporter(service, { orgId: editors.a as never });
  const example = join(import.meta.dirname, '../../../docs/example-inventory.json');
  expect((await report(readFileSync(example, 'utf8'))).status).toBe(200);
  const q = encodeURIComponent('os:windows disk:>90 metrics.reported:yes patches.reported:no');
  const { body } = await editors.as('A')('GET', `/api/v1/devices?q=${q}`);
  expect(body).toMatchObject({
    data: [{ hostname: 'ACCT-PC-07', metrics: { diskPercent: 98 } }],
    totalCount: 1,
  });
});

test.each([
  ['network_ports[].ips', { network_ports: [{ ips: ips(600) }, { ips: ips(401) }] }],
  ['network_device.ips', { network_device: { type: 'Networking', ips: ips(1_001) } }],
  ['networks', { networks: Array.from({ length: 1_001 }, () => ({})) }],
  ['drives', { drives: Array.from({ length: 1_001 }, () => ({})) }],
])('a list that is too long is refused by name: %s', async (list, content) => {
  const editors = await addEditors(service);
  const { report } = await addReporter(service, { orgId: editors.a as never });
  const answer = await report({ deviceid: 'long', content: { versionclient: 'agent', ...content } });
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { status: 'error', message: `content.${list} must have at most 1,000 entries; it has 1,001` },
  ]);
  expect((await editors.as('A')('GET', '/api/v1/devices')).body).toMatchObject({ data: [] });
});

/** As an agent sends it: with some sections each time, and otherwise with the changed ones. */
function withoutUnchanged(changed: object): object {
  const { content, ...header } = realInventory();
  const { accesslog, bios, hardware, versionclient } = content;
  return { ...header, partial: true, content: { accesslog, bios, hardware, versionclient, ...changed } };
}

function ips(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
}
