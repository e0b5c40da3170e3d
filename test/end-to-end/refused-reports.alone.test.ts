/**
 * Reports that are refused leave nothing behind, neither in memory nor on disk (issue 26): a service with 128 MB of heap
 * gets twenty of them, each with twenty thousand titles that nobody has.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureConsole } from '#adapters/web/build/build-console.ts';
import { type RunningService, ServiceUnderTest } from './service-process.ts';

const HEAP_MIB = 128;
const REPORTS = 20;
const TITLES = 20_000;

let program: ServiceUnderTest;
let service: RunningService;
let key: string;

beforeAll(async () => {
  await ensureConsole(() => undefined);
  program = await ServiceUnderTest.create({ LOG_LEVEL: 'warn' });
  service = await program.start({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
  const created = await program.run(['enrolment-key', 'create', '--org', 'Varhaug Freight Lines']);
  key = /fse_[\w-]{43}/.exec(created.stdout)?.[0] ?? '';
}, 120_000);

afterAll(async () => {
  await service?.stop();
  await program?.dispose();
}, 120_000);

test('twenty refused reports, each with new titles, do not end a service with 128 MB of heap', async () => {
  const label = '{report}';
  const body = JSON.stringify({
    action: 'inventory',
    deviceid: 'nobody',
    partial: true,
    content: {
      versionclient: 'test',
      softwares: Array.from({ length: TITLES }, (_, i) => ({ name: `${label} ${i} ${'x'.repeat(480)}` })),
    },
  });
  for (let n = 0; n < REPORTS; n++) {
    const answer = await fetch(`${service.url}/inventory`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}`,
      },
      body: body.replaceAll(label, `${n}`),
    });
    expect({ n, status: answer.status, body: await answer.json() }).toMatchObject({
      status: 409,
      body: { status: 'error', message: expect.stringContaining('partial') },
    });
  }
  expect(service.isAlive()).toBe(true);
}, 180_000);
