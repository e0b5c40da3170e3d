/** What was there before alerts had a time and patches were listed (see the migration of the fleet's lists). */
import { expect, inject, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { aDevice, anAlert, newId, orgScope } from '#test/support/builders.ts';
import { BACKEND_OPTIONS, createPostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

test('alerts get the time of the migration, repeats are marked, and titles that are too long are cut', async () => {
  const old = await createPostgresWorld(inject('databaseUrl'));
  try {
    const { orgId } = await createTenant(old.backend);
    const patch = (title: string) => ({ id: newId<'patch'>(), title, status: 'pending' as const });
    const long = '🖨'.repeat(500);
    await loadFleet(old.backend, [
      aDevice({ orgId, patches: [patch('KB1'), patch('KB1'), patch('later'), patch(long)] }),
      aDevice({ orgId, patches: [patch('KB1')] }),
      anAlert({ orgId }),
    ]);
    // As it was before that migration, with a title that could be loaded then.
    for (const statement of [
      'drop index alert_newest, alert_org_newest, alert_urgent, patch_org_titles',
      'alter table alert drop column created_at',
      'create index alert_org on alert (org_id)',
      'alter table patch drop column is_repeat',
      'alter table patch alter column title type text collate "default"',
      'alter table patch no force row level security',
      `update patch set title = repeat('🖨', 500) || title where title = 'later'`,
      'alter table patch force row level security',
      `delete from mikro_orm_migrations where name = 'Migration20261122FleetLists'`,
      `delete from service_secret where name = 'security_digest'`,
    ]) {
      await old.query('owner', statement);
    }

    const before = Date.now();
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: old.url });
    try {
      const request = { scope: orgScope(orgId), onBehalfOf: 'test' };
      const query = { status: null, after: null, limit: 10 };
      expect(await backend.fleetCounter.patches(request, query)).toStrictEqual({
        ok: true,
        value: [
          { title: 'KB1', pending: 2, installed: 0, failed: 0 },
          { title: long, pending: 1, installed: 0, failed: 0 },
        ],
      });
      const [alert] =
        (await backend.fleetLists.alerts(orgScope(orgId), { ...query, severity: null, deviceId: null })) ??
        [];
      expect(alert?.createdAt).toBeGreaterThanOrEqual(before - 1_000);
      expect(alert?.createdAt).toBeLessThanOrEqual(Date.now() + 1_000);
    } finally {
      await backend.close();
    }
  } finally {
    await old.close();
  }
});
