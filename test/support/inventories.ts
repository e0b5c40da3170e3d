/** Stores inventories as people import them and as machines report them. */
import type { Backend } from '#application/backend.ts';
import type { InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { OrgId } from '#domain/ids.ts';
import type { DeviceInventory, InventorySource } from '#domain/inventory/device-inventory.ts';
import type { EpochMs } from '#domain/time.ts';

type Store = (
  backend: Pick<Backend, 'inventoryStore'>,
  orgId: OrgId,
  inventory: DeviceInventory,
  now: EpochMs,
  makeEntry?: Parameters<InventoryStore['store']>[1],
) => ReturnType<InventoryStore['store']>;

export const importInventory: Store = (...given) => storeFrom('import', ...given);

export const reportInventory: Store = (...given) => storeFrom('report', ...given);

function storeFrom(
  source: InventorySource,
  ...[{ inventoryStore }, orgId, inventory, now, makeEntry]: Parameters<Store>
): ReturnType<Store> {
  return inventoryStore.store({ orgId, siteId: null, source, inventory, now }, makeEntry);
}
