/** A machine that falls silent, and is heard of again, with the worker that the service runs (Contract: §13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Worker } from '#adapters/system/worker.ts';
import type { TestService } from '#test/api/service/service.ts';
import { movableClock, SOME_INSTANT } from '#test/support/builders.ts';
import { addReporter, devicesOf, type Reporter, realInventory, startAgentService } from './agents.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };
const MINUTE_MS = 60_000;

let service: TestService;
let worker: Worker;
const { clock, moveTo } = movableClock(SOME_INSTANT);
const pass = (minutes: number) => moveTo(clock() + minutes * MINUTE_MS);

beforeAll(async () => {
  service = await startAgentService({ clock });
  worker = service.composition.startWorker({
    sendMail: async () => ({ result: 'sent' }),
    baseUrl: 'https://fleet.example.com',
    intervalMs: 50,
    offlineAfterMinutes: 90,
  });
});

afterAll(async () => {
  await worker.stop(2_000);
  await service.close();
});

const at = (instant: number) => new Date(instant).toISOString();

const stateOf = async (reporter: Reporter) =>
  (await devicesOf(service, reporter)).map(({ status, lastSeenAt }) => [status, lastSeenAt]);

test('a device is offline after its silence, not before, and online with its next report', async () => {
  const [silent, faithful] = [await addReporter(service), await addReporter(service)];
  const first = clock();
  await silent.report(realInventory());
  pass(60);
  await faithful.report(realInventory());
  pass(31);
  await expect.poll(() => stateOf(silent), PATIENCE).toStrictEqual([['offline', at(first)]]);
  expect(await stateOf(faithful)).toStrictEqual([['online', at(first + 60 * MINUTE_MS)]]);
  await silent.report({ ...realInventory(), partial: true });
  expect(await stateOf(silent)).toStrictEqual([['online', at(clock())]]);
});
