/** Stores inventories as imports and as reports of machines. */
import type { Backend } from '#application/backend.ts';
import type { InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import type { OrgId } from '#domain/ids.ts';
import type { DeviceInventory, InventorySource } from '#domain/inventory/device-inventory.ts';
import type { EpochMs } from '#domain/time.ts';
import { SOME_INSTANT } from './builders.ts';

type Store = (
  backend: Pick<Backend, 'inventoryStore'>,
  orgId: OrgId,
  inventory: DeviceInventory,
  now: EpochMs,
  makeEntry?: Parameters<InventoryStore['store']>[1],
) => ReturnType<InventoryStore['store']>;

export const importInventory: Store = (...given) => storeFrom('import', ...given);

export const reportInventory: Store = (...given) => storeFrom('report', ...given);

/** Counts devices as audible that were seen at the instant or later. */
export function audibleFrom(from: EpochMs): Parameters<SilenceMarker>[0] {
  const span = { from, to: Date.UTC(9999, 0, 1) };
  return { contacts: span, reports: span };
}

/** Whether a device of the organization has the inventoryId. The check is a contact, which makes the device online. */
export async function isKnown(
  { inventoryStore }: Pick<Backend, 'inventoryStore'>,
  orgId: OrgId,
  inventoryId: string,
  now: EpochMs = SOME_INSTANT,
): Promise<boolean> {
  return (await inventoryStore.contact({ orgId, inventoryId, now })) !== null;
}

function storeFrom(
  source: InventorySource,
  ...[{ inventoryStore }, orgId, inventory, now, makeEntry]: Parameters<Store>
): ReturnType<Store> {
  return inventoryStore.store({ orgId, siteId: null, source, inventory, now }, makeEntry);
}
