/** Single inventories on PostgreSQL: one transaction each, serialized per device. */
import type { Pool, PoolClient } from 'pg';
import { auditInsert } from '#adapters/postgres/audit-insert.ts';
import type {
  InventoryOutcome,
  InventoryReading,
  InventoryRefusal,
  InventoryStore,
} from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
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
  return {
    store: async (reading, makeEntry) => {
      const names = (reading.inventory.fields.software ?? []).map(({ name }) => name);
      const titleIds = await resolveTitleIds(new Set(names));
      return withScope(
        pool,
        { kind: 'organization', orgId: reading.orgId },
        async (client) => {
          const stored = await store(client, newId, titleIds, reading);
          const entry = stored.ok ? (makeEntry?.(stored.value) ?? null) : null;
          if (entry !== null) await client.query(auditInsert([entry]));
          return stored;
        },
        (outcome) => outcome.ok,
      );
    },
    knows: (orgId, inventoryId) =>
      withScope(pool, { kind: 'organization', orgId }, async (client) => {
        const { rows } = await client.query('select 1 from device where org_id = $1 and inventory_id = $2', [
          orgId,
          inventoryId,
        ]);
        return rows.length > 0;
      }),
  };
}

async function store(
  client: PoolClient,
  newId: IdGenerator,
  titleIds: ReadonlyMap<string, number>,
  reading: InventoryReading,
): Promise<Result<InventoryOutcome, InventoryRefusal>> {
  const { orgId, siteId, source, inventory, now } = reading;
  const { inventoryId } = inventory;
  const { rows: organizations } = await client.query('select 1 from organization where id = $1', [orgId]);
  if (organizations.length === 0) return err('unknown-organization');
  if (siteId !== null) {
    const { rows } = await client.query('select 1 from site where id = $1 and org_id = $2', [siteId, orgId]);
    if (rows.length === 0) return err('unknown-site');
  }
  // Of two concurrent inventories of one new device, the second waits here and then finds it.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${orgId} ${inventoryId}`]);
  const { rows: known } = await client.query<{ id: DeviceId; status: DeviceStatus }>(
    'select id, status from device where org_id = $1 and inventory_id = $2 for update',
    [orgId, inventoryId],
  );
  const created = known[0] === undefined;
  if (created && inventory.kind === 'partial') return err('unknown-device');
  const deviceId = known[0]?.id ?? newId<'device'>();
  const columns = inventoryColumns(reading, known[0]?.status ?? null);
  if (created) {
    const identity = { id: deviceId, org_id: orgId, inventory_id: inventoryId, enrolled_at: isoOrNull(now) };
    await insertRow(client, 'device', { ...identity, ...columns });
  } else {
    await updateDevice(client, deviceId, columns);
  }
  await replaceParts(client, titleIds, deviceId, orgId, inventory);
  return ok({ deviceId, created, isFirstReport: source === 'report' });
}
