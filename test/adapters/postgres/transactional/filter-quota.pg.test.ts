/** How the quota of filters is locked. In memory, transactions run one after the other, so no lock is needed there. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { orgScope } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});
afterAll(() => world.close());

test('while one transaction holds the quota of an organization, another can hold that of its neighbour', async () => {
  const { orgIds } = await createTenant(world.backend, 2);
  const [one, two] = orgIds as [OrgId, OrgId];
  const hold = <T>(orgId: OrgId, work: (usage: FilterUsage) => Promise<T>) =>
    world.backend.unitOfWork(orgScope(orgId), async (tx) =>
      work(await tx.filters.holdUsage({ kind: 'organization', orgId })),
    );
  const none = { filters: 0, conditionBytes: 0 };
  expect(await hold(one, (first) => hold(two, async (second) => [first, second]))).toStrictEqual([
    none,
    none,
  ]);
});
