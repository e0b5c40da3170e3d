/** What inventories had stored before machines were told apart by more than one name (see the migration). */
import { expect, inject, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { aDevice, anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { BACKEND_OPTIONS, createPostgresWorld } from '#test/support/database/postgres-world.ts';
import { importInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

test('devices that were imported before are found by the names that they had', async () => {
  const old = await createPostgresWorld(inject('databaseUrl'));
  try {
    const { orgIds } = await createTenant(old.backend, 2);
    const [orgId = newId(), other = newId()] = orgIds;
    const imported = aDevice({ orgId });
    await loadFleet(old.backend, [imported, aDevice({ orgId }), aDevice({ orgId: other })]);
    // As it was before that migration.
    for (const statement of [
      'drop table device_inventory_id',
      'drop index device_hardware_serial_lc',
      'alter table device drop column system_uuid',
      'alter table device drop column reports_since',
      'alter table device add column inventory_id text collate "C"',
      'create unique index device_inventory on device (org_id, inventory_id) where inventory_id is not null',
      'alter table device no force row level security',
      `update device set inventory_id = 'pc-1' where id = '${imported.id}'`,
      'alter table device force row level security',
      `delete from mikro_orm_migrations where name = 'Migration20261122MachineIdentity'`,
      `delete from service_secret where name = 'security_digest'`,
    ]) {
      await old.query('owner', statement);
    }

    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: old.url });
    try {
      expect(await backend.inventoryStore.knows(orgId, 'pc-1')).toBe(true);
      expect(await backend.inventoryStore.knows(other, 'pc-1')).toBe(false);
      const inventory = anInventory({}, { inventoryId: 'pc-1' });
      expect(await importInventory(backend, orgId, inventory, SOME_INSTANT)).toStrictEqual({
        ok: true,
        value: { deviceId: imported.id, created: false, isFirstReport: false },
      });
      // Nobody knows of it that it reports by itself.
      expect(await backend.markSilent(SOME_INSTANT + 1, 10)).toBe(0);
    } finally {
      await backend.close();
    }
  } finally {
    await old.close();
  }
});
