/** Filters as deep and as broad as a body of 1 MiB allows, over 10,000 devices (Contract: §4). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Ask,
  FILTERS,
  filterOf,
  hostnamesOf,
  PREVIEW,
  previewOf,
  problemOf,
  startService,
  type TestService,
  tracesOf,
} from '#test/api/service/service.ts';
import { aDevice, aFilter } from '#test/support/builders.ts';
import { stringifyAsOlderNodes } from '#test/support/older-json.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const MIB = 1_048_576;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** The process survives every test. */
afterEach(async () => {
  expect((await service.composition.app.request('/healthz')).status).toBe(200);
});

let askBig: Ask;

beforeAll(async () => {
  const { orgId, userId } = await createTenant(service.composition.backend);
  const devices = Array.from({ length: 10_000 }, (_, i) =>
    aDevice({ orgId, hostname: `big-${String(i).padStart(5, '0')}`, uptimeSeconds: i }),
  );
  await loadFleet(service.composition.backend, devices);
  askBig = service.asUser(userId);
});

const nest = (depth: number, level: (i: number) => string, core: string) => {
  let head = '';
  for (let i = 0; i < depth; i++) head += level(i);
  return `${head}${core}${']}'.repeat(depth)}`;
};
const plain = (i: number) =>
  i % 2 === 0 ? '{"operator":"OR","conditions":[' : '{"operator":"AND","conditions":[';
const equals = (hostname: string) => `{"field":"hostname","operator":"equals","value":"${hostname}"}`;
const list = (length: number) =>
  `[${Array.from({ length }, (_, i) => `"big-${String(i * 3).padStart(5, '0')}"`).join(',')}]`;

const TREES: readonly (readonly [string, string, number])[] = [
  ['30,000 levels', nest(30_000, plain, equals('big-00007')), 1],
  [
    '1,000 levels with a condition on each',
    // From the inside out, each OR adds a device. Only the outermost AND removes one, big-00001.
    nest(
      1_000,
      (i) =>
        i % 2 === 0
          ? `{"operator":"OR","conditions":[${equals(`big-${String(i).padStart(5, '0')}`)},`
          : `{"operator":"AND","conditions":[{"field":"uptimeSeconds","operator":"notEquals","value":${i}},`,
      equals('big-00001'),
    ),
    500,
  ],
  [
    '10,000 equals conditions on one field',
    `{"operator":"OR","conditions":[${Array.from({ length: 10_000 }, (_, i) => equals(`big-${String(i * 2).padStart(5, '0')}`)).join(',')}]}`,
    5_000,
  ],
  [
    'a list of 60,000 values',
    `{"operator":"AND","conditions":[{"field":"hostname","operator":"in","value":${list(60_000)}}]}`,
    3_334,
  ],
];

test.each(TREES)(
  '%s can be created, read back equal, previewed, patched and deleted',
  async (_, tree, count) => {
    expect(tree.length).toBeLessThan(MIB - 100);
    const created = await askBig('POST', FILTERS, `{"name":"Big","conditions":${tree}}`);
    expect(created.status).toBe(201);
    const { id } = filterOf(created);
    const read = await askBig('GET', `${FILTERS}/${id}`);
    expect(read.text.includes(`"conditions":${tree},`)).toBe(true);
    expect(previewOf(await askBig('POST', PREVIEW, `{"conditions":${tree}}`)).totalCount).toBe(count);
    expect(previewOf(await askBig('POST', `${FILTERS}/${id}/preview`)).totalCount).toBe(count);
    const patched = await askBig('PATCH', `${FILTERS}/${id}`, `{"name":"Bigger","conditions":${tree}}`);
    expect([patched.status, patched.text.includes(`"conditions":${tree},`)]).toStrictEqual([200, true]);
    expect((await askBig('GET', FILTERS)).status).toBe(200);
    const deleted = await askBig('DELETE', `${FILTERS}/${id}`);
    expect([deleted.status, deleted.text.includes(`"conditions":${tree},`)]).toStrictEqual([200, true]);
    expect((await askBig('GET', `${FILTERS}/${id}`)).status).toBe(404);
  },
);

test('30,000 levels are accepted and answered on older versions of Node.js, too', async () => {
  stringifyAsOlderNodes();
  const [[, tree] = ['', '']] = TREES;
  const created = await askBig('POST', FILTERS, `{"name":"Deep","conditions":${tree}}`);
  expect(created.status).toBe(201);
  const { id } = filterOf(created);
  expect((await askBig('GET', `${FILTERS}/${id}`)).text.includes(`"conditions":${tree},`)).toBe(true);
  expect((await askBig('PATCH', `${FILTERS}/${id}`, `{"conditions":${tree}}`)).status).toBe(200);
  expect((await askBig('DELETE', `${FILTERS}/${id}`)).status).toBe(200);
  const text = `${Array.from({ length: 3_000 }, (_, i) => (i % 2 === 0 ? '(a OR ' : '(a ')).join('')}b${')'.repeat(3_000)}`;
  expect((await askBig('POST', `${FILTERS}/parse`, JSON.stringify({ q: text }))).status).toBe(200);
});

test('30,000 levels are loaded on older versions of Node.js, too', async () => {
  const { backend } = service.composition;
  const { orgId, userId } = await createTenant(backend);
  const [[, tree] = ['', '']] = TREES;
  const filter = aFilter({ orgId, createdBy: userId, conditions: JSON.parse(tree) });
  stringifyAsOlderNodes();
  await loadFleet(backend, [filter]);
  const read = await service.asUser(userId)('GET', `${FILTERS}/${filter.id}`);
  expect([read.status, read.text.includes(`"conditions":${tree},`)]).toStrictEqual([200, true]);
});

test('15,000 conditions of all kinds are created and read back, and their preview answers 200 or 422', async () => {
  const kinds = [
    (i: number) => `{"field":"uptimeSeconds","operator":"equals","value":${i}}`,
    (i: number) => `{"field":"hostname","operator":"contains","value":"g-${i}"}`,
    (i: number) => `{"field":"tags","operator":"contains","value":"${i}"}`,
  ];
  const tree = `{"operator":"OR","conditions":[${Array.from({ length: 15_000 }, (_, i) => kinds[i % 3]?.(i)).join(',')}]}`;
  const created = await askBig('POST', FILTERS, `{"name":"Broad","conditions":${tree}}`);
  expect(created.status).toBe(201);
  const read = await askBig('GET', `${FILTERS}/${filterOf(created).id}`);
  expect(read.text.includes(`"conditions":${tree},`)).toBe(true);
  const preview = await askBig('POST', PREVIEW, `{"conditions":${tree}}`);
  expect([200, 422]).toContain(preview.status);
  expect((await askBig('DELETE', `${FILTERS}/${filterOf(created).id}`)).status).toBe(200);
});

test('a fault at the bottom of 30,000 levels is found and named', async () => {
  const before = await tracesOf(service);
  const answer = await askBig(
    'POST',
    FILTERS,
    `{"name":"x","conditions":${nest(30_000, plain, '{"field":"nope","operator":"equals","value":1}')}}`,
  );
  const [fault] = problemOf(answer).errors ?? [];
  expect([answer.status, fault?.code, fault?.path.endsWith('.conditions[0].field')]).toStrictEqual([
    400,
    'unknown_field',
    true,
  ]);
  expect(answer.text.length).toBeLessThan(10_000);
  expect(await tracesOf(service)).toStrictEqual(before);
});

test('the service answers small filters as before', async () => {
  expect(
    hostnamesOf(
      await askBig(
        'POST',
        PREVIEW,
        `{"conditions":{"operator":"AND","conditions":[${equals('big-00042')}]}}`,
      ),
    ),
  ).toStrictEqual(['big-00042']);
});
