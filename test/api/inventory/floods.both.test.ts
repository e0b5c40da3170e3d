/** A flood of reports with one key is turned away and does not affect others (Contract: §13). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageReader } from '#application/ports/fleet/message-reader.ts';
import { ok } from '#domain/result.ts';
import type { TestService } from '#test/api/service/service.ts';
import { addReporter, devicesOf, realInventory, startAgentService } from './agents.ts';

let service: TestService;
/** Each function ends the reading of one document. */
const held: (() => void)[] = [];
let isHolding = true;

const readMessage: MessageReader = async () => {
  if (isHolding) {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    await promise;
  }
  return ok({ kind: 'contact', inventoryId: 'a', tasks: [] });
};

beforeAll(async () => {
  service = await startAgentService({ readMessage });
});
afterAll(() => service.close());

async function untilHeld(count: number): Promise<void> {
  while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
}

test('a flood with one key takes two turns, 64 reports wait, and the rest is 429 with Retry-After', async () => {
  isHolding = true;
  const flooding = await addReporter(service);
  const flood = Array.from({ length: 200 }, () => flooding.report(realInventory()));
  await untilHeld(2);
  const refused = await Promise.race(flood);
  expect(refused).toMatchObject({ status: 429, body: { status: 'error', message: expect.any(String) } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  // Another organization gets a turn at once, and people are not affected.
  const [other] = [await addReporter(service)];
  const theirs = other.report(realInventory());
  await untilHeld(3);
  expect(await devicesOf(service, flooding)).toStrictEqual([]);
  expect(held).toHaveLength(3);
  isHolding = false;
  for (const end of held.splice(0)) end();
  expect((await theirs).status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(66);
  expect(statuses.filter((status) => status === 429)).toHaveLength(134);
});
