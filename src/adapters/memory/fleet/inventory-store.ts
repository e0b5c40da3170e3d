/** Puts single inventories into the world. */

import { freezeEntry } from '#adapters/memory/stores/audit-log.ts';
import { copyDevice } from '#adapters/memory/tables/copy-device.ts';
import { inventoryKey, type World } from '#adapters/memory/tables/world.ts';
import type { InventoryOutcome, InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type Device, NO_METRICS } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { type InventoriedFields, stateFromInventory } from '#domain/inventory/device-inventory.ts';
import { err, ok } from '#domain/result.ts';

export interface InventoryStoreDeps {
  readonly world: World;
  readonly newId: IdGenerator;
}

export function makeInventoryStore({ world, newId }: InventoryStoreDeps): InventoryStore {
  return (orgId, inventory, now, makeEntry) =>
    world.lock(() => {
      const record = (outcome: InventoryOutcome) => {
        if (makeEntry !== undefined) world.auditEntries.push(freezeEntry(makeEntry(outcome)));
        return ok(outcome);
      };
      if (!world.organizations.has(orgId)) return err('unknown-organization');
      const key = inventoryKey(orgId, inventory.inventoryId);
      const knownId = world.deviceIdsByInventory.get(key);
      const known = knownId === undefined ? undefined : world.devices.get(knownId);
      const state = stateFromInventory(inventory, now, known?.status ?? null);
      if (known !== undefined) {
        const hardware = { ...known.hardware, ...inventory.fields.hardware };
        world.devices.put(copyDevice({ ...known, ...inventory.fields, ...state, hardware }));
        return record({ deviceId: known.id, created: false });
      }
      if (inventory.kind === 'partial') return err('partial-for-unknown-device');
      const deviceId = newId<'device'>();
      world.devices.put(
        copyDevice({
          ...unreported(deviceId, orgId),
          ...inventory.fields,
          ...state,
          enrolledAt: now,
        }),
      );
      world.deviceIdsByInventory.set(key, deviceId);
      return record({ deviceId, created: true });
    });
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
