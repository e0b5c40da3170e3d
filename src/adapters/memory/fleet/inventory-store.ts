import { recordChange } from '#adapters/memory/stores/audit-stores.ts';
import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import { currentKeys } from '#adapters/memory/tables/machine-table.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { InventoryReading, InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { HearingNotes, SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type Device, isLasting, NO_METRICS } from '#domain/device/device.ts';
import { exceededTitleLimit, findTooLongTitle, type TitleLimit } from '#domain/device/title-quota.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import {
  type InventoriedFields,
  lastUserAfter,
  stateAfter,
  withTag,
} from '#domain/inventory/device-inventory.ts';
import { findMachine, reportedMachine } from '#domain/inventory/find-machine.ts';
import { joinKeys, lostKeys } from '#domain/inventory/machine-keys.ts';
import { type Hearing, hearAt, signsAfter } from '#domain/inventory/presence.ts';
import { err, ok } from '#domain/result.ts';

export interface InventoryStoreDeps {
  readonly world: World;
  readonly newId: IdGenerator;
}

export function makeInventoryStore({ world, newId }: InventoryStoreDeps): InventoryStore {
  const { machines } = world.devices;
  return {
    store: (reading, makeEntry) =>
      world.lock(async () => {
        const { orgId, siteId, source, inventory, now } = reading;
        if (!world.organizations.has(orgId)) return err('unknown-organization');
        if (siteId !== null && world.sites.get(siteId)?.orgId !== orgId) return err('unknown-site');
        const reported = reportedMachine(inventory);
        const found = findMachine(reported, machines.sharing(orgId, reported, world.devices));
        const known = found === null ? undefined : world.devices.get(found.id);
        const device = inventoried(known, reading, newId);
        if (device === null) return err('unknown-device');
        const limit = exceededLimit(world, known, device);
        if (limit !== null) return err(limit);
        const machine = machines.get(device.id);
        const { inventoryIds, systemUuid, remembered, reportsSince } = machine;
        const isFirstReport = source === 'report' && reportsSince === null;
        const outcome = { deviceId: device.id, created: known === undefined, isFirstReport };
        const entry = await makeEntry?.(outcome);
        world.devices.put(copyDevice(device));
        const uuid = { systemUuid: reported.keys.uuids[0] ?? systemUuid };
        const before = known === undefined ? remembered : currentKeys(known, { systemUuid });
        machines.put(orgId, device.id, {
          ...machine,
          inventoryIds: new Set([...inventoryIds, inventory.inventoryId]),
          ...uuid,
          remembered: joinKeys(remembered, lostKeys(before, currentKeys(device, uuid))),
          ...(source === 'report' && {
            reportsSince: reportsSince ?? now,
            ...signsAfter(reading, machine.inventoriedAt),
          }),
        });
        recordChange(world, entry);
        return ok(outcome);
      }),
    contact: ({ orgId, inventoryId, ip = null, now }) =>
      world.lock(() => {
        const [device, ...clones] = machines.using(orgId, inventoryId, world.devices);
        if (device === undefined || clones.length > 0) return null;
        world.devices.put({
          ...device,
          ...(!isLasting(device.status) && { status: 'online' }),
          ...(ip !== null && { lastSeenIp: ip }),
          lastSeenAt: now,
        });
        const machine = machines.get(device.id);
        machines.put(orgId, device.id, { ...machine, makesContact: true });
        return { inventoriedAt: machine.inventoriedAt };
      }),
  };
}

function exceededLimit(
  { devices: { titles } }: World,
  known: Device | undefined,
  { orgId, software }: Device,
): TitleLimit | null {
  if (software === known?.software) return null;
  if (findTooLongTitle(software) >= 0) return 'too-long-title';
  if (titles.hasAll(orgId, software)) return null;
  return exceededTitleLimit(titles.usageWith(orgId, software, known?.software));
}

/** Null for a partial inventory of an unknown device. */
function inventoried(
  known: Device | undefined,
  { orgId, siteId, source, inventory, ip = null, now }: InventoryReading,
  newId: IdGenerator,
): Device | null {
  const state = {
    ...stateAfter(inventory, source, now, known?.status ?? null),
    ...(siteId !== null && { siteId }),
    ...(ip !== null && { lastSeenIp: ip }),
  };
  const tagsOf = (tags: readonly string[]) => withTag(tags, inventory.tag);
  if (known !== undefined) {
    const hardware = { ...known.hardware, ...inventory.fields.hardware };
    const metrics = { ...known.metrics, ...inventory.fields.metrics };
    const lastUser = lastUserAfter(inventory, known.lastUser);
    const user = lastUser === undefined ? {} : { lastUser };
    return { ...known, ...inventory.fields, ...state, ...user, hardware, metrics, tags: tagsOf(known.tags) };
  }
  if (inventory.kind === 'partial') return null;
  const metrics = { ...NO_METRICS, ...inventory.fields.metrics };
  return {
    ...unreported(newId<'device'>(), orgId),
    ...inventory.fields,
    enrolledAt: now,
    ...state,
    metrics,
    tags: tagsOf([]),
  };
}

function unreported(
  id: DeviceId,
  orgId: OrgId,
): Omit<Device, Exclude<keyof InventoriedFields, 'volumes' | 'metrics'>> {
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
    volumes: [],
    patches: null,
    custom: new Map(),
    pendingPatchCount: 0,
    criticalAlertCount: 0,
  };
}

export function makeSilenceMarker({ devices, lock }: World): SilenceMarker {
  return (audible, limit) =>
    lock(() => {
      let marked = 0;
      for (const [id, { makesContact, reportsSince }] of devices.machines.heardOf()) {
        if (marked === limit) break;
        const device = devices.get(id);
        if (device === undefined || device.status === 'offline' || isLasting(device.status)) continue;
        const span = audible[makesContact ? 'contacts' : 'reports'];
        const seenAt = device.lastSeenAt ?? reportsSince ?? Number.NEGATIVE_INFINITY;
        if (span === null || (seenAt >= span.from && seenAt <= span.to)) continue;
        devices.put({ ...device, status: 'offline' });
        marked++;
      }
      return marked;
    });
}

export function makeHearingNotes(): HearingNotes {
  let hearing: Hearing | null = null;
  return async (now, everyMs) => {
    hearing = hearAt(now, hearing, everyMs);
    return hearing;
  };
}
