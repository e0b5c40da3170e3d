/** Which changes of devices leave marks in PostgreSQL, and what becomes of changes that began without them. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { aDevice, aSavedFilter, movableClock, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
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

async function countRows(table: string, condition: string): Promise<number> {
  return world.connected('app', async (client) => {
    await client.query(`select set_config('app.scope', 'system', false)`);
    const { rows } = await client.query(`select from ${table} where ${condition}`);
    return rows.length;
  });
}

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
    /** Transactions of other tests may be under way when the filter is first watched. */
    settle: () =>
      until(async () => {
        await evaluate();
        const isOpen = `org_id = '${orgId}' and (is_unsettled or understood_as is null)`;
        return (await countRows('live_filter', isOpen)) === 0;
      }),
    marks: () => countRows('live_mark', `org_id = '${orgId}'`),
    members: async (id: Awaited<ReturnType<typeof watch>>) =>
      (await backend.memberships.members(SYSTEM_SCOPE, id))?.ids,
  };
}

test('a heartbeat that no watched filter can notice leaves no mark', async () => {
  const { watch, settle, contact, marks } = await openTenant();
  await watch(WITHIN_A_WEEK);
  await settle();
  for (const minutes of [1, 2, 3]) {
    moveTo(SOME_INSTANT + minutes * MINUTE_MS);
    expect(await contact()).not.toBeNull();
  }
  expect(await marks()).toBe(0);
});

test('a heartbeat after a silence that a watched filter notices leaves a mark', async () => {
  const { device, watch, settle, evaluate, contact, marks, members } = await openTenant();
  const filterId = await watch(WITHIN_A_WEEK);
  await settle();
  moveTo(SOME_INSTANT + 8 * DAY_MS);
  await evaluate();
  expect(await members(filterId)).toStrictEqual([]);
  await contact();
  expect(await marks()).toBe(1);
  await evaluate();
  expect(await members(filterId)).toStrictEqual([device.id]);
  await contact();
  expect(await marks()).toBe(0);
});

test('a change that was under way when its filter was first watched is not lost', async () => {
  const { device, watch, settle, evaluate, marks, members } = await openTenant();
  const filterId = await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const found = await tx.devices.findForUpdate(device.id);
    if (found === null) throw new Error('the device was loaded');
    await tx.devices.replace({ ...found, tags: ['vip'] });
    // Nothing is marked yet, and nobody else sees the change.
    const id = await watch({ field: 'tags', operator: 'contains', value: 'vip' });
    for (let i = 0; i < 3; i++) await evaluate();
    expect(await members(id)).toStrictEqual([]);
    return id;
  });
  expect(await marks()).toBe(0);
  await settle();
  expect(await members(filterId)).toStrictEqual([device.id]);
});

test.each<[string, RawCondition, number]>([
  ['no filter reads leaves no mark', { field: 'hostname', operator: 'contains', value: 'x' }, 0],
  ['a filter reads leaves a mark', { field: 'metrics.cpuPercent', operator: 'greaterThan', value: 90 }, 1],
])('a measurement that %s', async (_what, condition, count) => {
  const { device, watch, settle, marks } = await openTenant();
  await watch(condition);
  await settle();
  await world.connected('app', async (client) => {
    await client.query(`select set_config('app.scope', 'system', false)`);
    await client.query('update device set cpu_percent = 12 where id = $1', [device.id]);
  });
  expect(await marks()).toBe(count);
});

test('listeners hear of marks and changes, even after the connection was lost', async () => {
  const { device, evaluate, watch, settle } = await openTenant();
  await watch({ field: 'tags', operator: 'contains', value: 'vip' });
  await settle();
  const heard = { marks: 0, changes: 0 };
  const { memberships } = world.backend;
  const stops = (['marks', 'changes'] as const).map((news) => memberships.listen(news, () => heard[news]++));
  const count = (news: keyof typeof heard) => until(async () => heard[news] > 0);
  const tag = (...tags: readonly string[]) => loadFleet(world.backend, [{ ...device, tags }]);
  const ended = () => world.query('owner', TERMINATE);
  for (const tags of [['vip'], []]) {
    // The first thing heard is that the connection listens.
    await count('marks');
    Object.assign(heard, { marks: 0, changes: 0 });
    await tag(...tags);
    await count('marks');
    await evaluate();
    await count('changes');
    heard.marks = 0;
    expect(await ended()).toHaveLength(1);
  }
  for (const stop of stops) stop();
});

/** The service connects again within a second. */
const TERMINATE = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'fleetsift live %' and datname = current_database()`;
