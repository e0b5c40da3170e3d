/** Single inventories on PostgreSQL: one transaction each, serialized per device. */
import type { Pool, PoolClient } from 'pg';
import { auditInsert } from '#adapters/postgres/audit-insert.ts';
import type {
  InventoryOutcome,
  InventoryRefusal,
  InventoryStore,
} from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { isoOrNull } from './device-rows.ts';
import { inventoryColumns } from './inventory-columns.ts';
import { insertRow, replaceParts, updateDevice } from './inventory-rows.ts';
import type { ResolveTitleIds } from './software-titles.ts';
import { withScope } from './with-scope.ts';

export interface InventoryStoreDeps {
  /** Connects as the unprivileged app role. */
  readonly pool: Pool;
  readonly resolveTitleIds: ResolveTitleIds;
  readonly newId: IdGenerator;
}

export function makeInventoryStore({ pool, resolveTitleIds, newId }: InventoryStoreDeps): InventoryStore {
  return async (orgId, inventory, now, makeEntry) => {
    const names = (inventory.fields.software ?? []).map(({ name }) => name);
    const titleIds = await resolveTitleIds(new Set(names));
    return withScope(
      pool,
      { kind: 'organization', orgId },
      async (client) => {
        const stored = await store(client, newId, titleIds, orgId, inventory, now);
        if (stored.ok && makeEntry !== undefined) await client.query(auditInsert([makeEntry(stored.value)]));
        return stored;
      },
      (outcome) => outcome.ok,
    );
  };
}

async function store(
  client: PoolClient,
  newId: IdGenerator,
  titleIds: ReadonlyMap<string, number>,
  orgId: OrgId,
  inventory: DeviceInventory,
  now: EpochMs,
): Promise<Result<InventoryOutcome, InventoryRefusal>> {
  const { inventoryId } = inventory;
  const { rows: organizations } = await client.query('select 1 from organization where id = $1', [orgId]);
  if (organizations.length === 0) return err('unknown-organization');
  // Of two concurrent inventories of one new device, the second waits here and then finds it.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${orgId} ${inventoryId}`]);
  const { rows: known } = await client.query<{ id: DeviceId; status: DeviceStatus }>(
    'select id, status from device where org_id = $1 and inventory_id = $2 for update',
    [orgId, inventoryId],
  );
  const created = known[0] === undefined;
  if (created && inventory.kind === 'partial') return err('partial-for-unknown-device');
  const deviceId = known[0]?.id ?? newId<'device'>();
  const columns = inventoryColumns(inventory, now, known[0]?.status ?? null);
  if (created) {
    const identity = { id: deviceId, org_id: orgId, inventory_id: inventoryId, enrolled_at: isoOrNull(now) };
    await insertRow(client, 'device', { ...identity, ...columns });
  } else {
    await updateDevice(client, deviceId, columns);
  }
  await replaceParts(client, titleIds, deviceId, orgId, inventory);
  return ok({ deviceId, created });
}
