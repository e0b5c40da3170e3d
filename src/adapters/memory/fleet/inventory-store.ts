/** Puts single inventories into the world. */

import { freezeEntry } from '#adapters/memory/stores/audit-log.ts';
import { copyDevice } from '#adapters/memory/tables/copy-device.ts';
import { inventoryKey, type World } from '#adapters/memory/tables/world.ts';
import type { InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type Device, NO_HARDWARE, NO_METRICS } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { type InventoriedFields, stateAfter } from '#domain/inventory/device-inventory.ts';
import { err, ok } from '#domain/result.ts';

export interface InventoryStoreDeps {
  readonly world: World;
  readonly newId: IdGenerator;
}

export function makeInventoryStore({ world, newId }: InventoryStoreDeps): InventoryStore {
  return {
    store: ({ orgId, siteId, source, inventory, now }, makeEntry) =>
      world.lock(() => {
        if (!world.organizations.has(orgId)) return err('unknown-organization');
        if (siteId !== null && world.sites.get(siteId)?.orgId !== orgId) return err('unknown-site');
        const key = inventoryKey(orgId, inventory.inventoryId);
        const knownId = world.deviceIdsByInventory.get(key);
        const known = knownId === undefined ? undefined : world.devices.get(knownId);
        if (known === undefined && inventory.kind === 'partial') return err('unknown-device');
        const deviceId = known?.id ?? newId<'device'>();
        const before = known ?? { ...unreported(deviceId, orgId), enrolledAt: now };
        world.devices.put(
          copyDevice({
            ...before,
            ...(inventory.fields as InventoriedFields),
            ...stateAfter(inventory, source, now, known?.status ?? null),
            hardware: { ...NO_HARDWARE, ...known?.hardware, ...inventory.fields.hardware },
            ...(siteId !== null && { siteId }),
          }),
        );
        world.deviceIdsByInventory.set(key, deviceId);
        const outcome = { deviceId, created: known === undefined, isFirstReport: source === 'report' };
        const entry = makeEntry?.(outcome) ?? null;
        if (entry !== null) world.auditEntries.push(freezeEntry(entry));
        return ok(outcome);
      }),
    knows: async (orgId, inventoryId) => world.deviceIdsByInventory.has(inventoryKey(orgId, inventoryId)),
  };
}

/** A device of which only the organization is known. */
function unreported(id: DeviceId, orgId: OrgId): Omit<Device, keyof InventoriedFields> {
  return {
    id,
    orgId,
    siteId: null,
    displayName: null,
    status: 'offline',
    enrolledAt: null,
    lastSeenAt: null,
    lastSeenIp: null,
    tags: [],
    isHeadless: null,
    watchdogStatus: null,
    quarantinedAt: null,
    rebootRequired: false,
    metrics: NO_METRICS,
    custom: new Map(),
    pendingPatchCount: 0,
    criticalAlertCount: 0,
  };
}
