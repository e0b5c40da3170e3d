/** A flood on the connections of one purpose does not block the others. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { signInsOfAddress } from '#application/auth/attempt-limits.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

let world: PostgresWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenant = await createTenant(world.backend);
});
afterAll(() => world.close());

test('sign-ins that all wait for one counter block neither identification nor other work', async () => {
  const { rateLimiter, principals, signIns, organizationExists } = world.backend;
  await world.connected('owner', async (owner) => {
    await owner.query('begin');
    await owner.query('lock table rate_limit in access exclusive mode');
    const flood = Promise.all(
      Array.from({ length: 20 }, () => rateLimiter.consume(signInsOfAddress('203.0.113.7'))),
    );
    expect((await principals.findUser(tenant.userId))?.userId).toBe(tenant.userId);
    expect((await signIns.findById(tenant.userId))?.principal.userId).toBe(tenant.userId);
    expect(await organizationExists(tenant.orgId)).toBe(true);
    await owner.query('rollback');
    expect((await flood).filter(({ allowed }) => allowed)).toHaveLength(10);
  });
});
