/** Which changes of devices leave marks on PostgreSQL, and what happens to changes that were under way without them. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { aDevice, aSavedFilter, movableClock, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, type RawCondition } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const { clock, moveTo } = movableClock();

let world: PostgresWorld;
beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'), { clock });
});
afterAll(() => world.close());

const WITHIN_A_WEEK: RawCondition = {
  ...{ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 7, unit: 'days' } },
};

async function openTenant() {
  moveTo(SOME_INSTANT);
  const { backend } = world;
  const tenant = await createTenant(backend);
  const { orgId, partnerId, userId } = tenant;
  const device = aDevice({ orgId, inventoryIds: ['agent'], makesContact: true, lastSeenAt: SOME_INSTANT });
  await loadFleet(backend, [device]);
  const evaluatePartner = makeEvaluateMemberships({
    ...{ memberships: backend.memberships, translatePattern, clock },
  });
  const evaluate = () => evaluatePartner(partnerId);
  const watch = async (condition: RawCondition) => {
    const conditionsJson = JSON.stringify(and(condition));
    const filter = aSavedFilter({ orgId, createdBy: userId, conditionsJson });
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
    await backend.memberships.watch(SYSTEM_SCOPE, filter.id);
    return filter.id;
  };
  return {
    ...{ device, evaluate, watch },
    contact: () => backend.inventoryStore.contact({ orgId, inventoryId: 'agent', now: clock() }),
    members: async (id: Awaited<ReturnType<typeof watch>>) =>
      (await backend.memberships.members(SYSTEM_SCOPE, id))?.ids,
    waits: async () => (await backend.memberships.waiting(clock())).includes(partnerId),
  };
}

test('a heartbeat that no watched filter can notice leaves no mark', async () => {
  const { watch, evaluate, contact, waits } = await openTenant();
  await watch(WITHIN_A_WEEK);
  for (let i = 0; i < 3; i++) await evaluate();
  for (const minutes of [1, 2, 3]) {
    moveTo(SOME_INSTANT + minutes * MINUTE_MS);
    expect(await contact()).not.toBeNull();
  }
  expect(await waits()).toBe(false);
});

test('a heartbeat after a silence that a watched filter notices leaves one', async () => {
  const { device, watch, evaluate, contact, waits, members } = await openTenant();
  const filterId = await watch(WITHIN_A_WEEK);
  for (let i = 0; i < 3; i++) await evaluate();
  moveTo(SOME_INSTANT + 8 * DAY_MS);
  expect(await waits()).toBe(true);
  await evaluate();
  expect(await members(filterId)).toStrictEqual([]);
  expect(await waits()).toBe(false);
  await contact();
  expect(await waits()).toBe(true);
  await evaluate();
  expect(await members(filterId)).toStrictEqual([device.id]);
});

test('a change that was under way when its filter was first watched is not lost', async () => {
  const { device, watch, evaluate, waits, members } = await openTenant();
  let filterId: Awaited<ReturnType<typeof watch>> | undefined;
  await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const found = await tx.devices.findForUpdate(device.id);
    if (found === null) throw new Error('the device was loaded');
    await tx.devices.replace({ ...found, tags: ['vip'] });
    // Nothing is marked yet, and nobody else sees the change.
    filterId = await watch({ field: 'tags', operator: 'contains', value: 'vip' });
    for (let i = 0; i < 3; i++) await evaluate();
    expect(await members(filterId)).toStrictEqual([]);
    expect(await waits()).toBe(false);
  });
  if (filterId === undefined) throw new Error('the filter is watched');
  expect(await waits()).toBe(true);
  await evaluate();
  expect(await members(filterId)).toStrictEqual([device.id]);
  expect(await waits()).toBe(false);
});

test.each<[string, RawCondition, boolean]>([
  ['no filter reads leaves no mark', { field: 'hostname', operator: 'contains', value: 'x' }, false],
  ['a filter reads leaves one', { field: 'metrics.cpuPercent', operator: 'greaterThan', value: 90 }, true],
])('a measurement that %s', async (_what, condition, isMarked) => {
  const { device, watch, evaluate, waits } = await openTenant();
  await watch(condition);
  for (let i = 0; i < 3; i++) await evaluate();
  expect(await waits()).toBe(false);
  await world.connected('app', async (client) => {
    await client.query(`select set_config('app.scope', 'system', false)`);
    await client.query('update device set cpu_percent = 12 where id = $1', [device.id]);
  });
  expect(await waits()).toBe(isMarked);
});
