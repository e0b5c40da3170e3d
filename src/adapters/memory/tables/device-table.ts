/**
 * The devices by organization, so that reading one organization costs nothing for the others. A snapshot is the live
 * map, and the first write after it copies that map. Reading is free, and a write copies at most one organization's
 * map.
 */
import type { Device } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { MachineTable } from './machine-table.ts';
import { TitleTable } from './title-table.ts';

export class DeviceTable {
  readonly #partitions = new Map<OrgId, { devices: Map<DeviceId, Device>; isShared: boolean }>();
  readonly #orgIds = new Map<DeviceId, OrgId>();
  readonly machines = new MachineTable();
  readonly titles = new TitleTable();

  get(id: DeviceId): Device | undefined {
    const orgId = this.#orgIds.get(id);
    return orgId === undefined ? undefined : this.#partitions.get(orgId)?.devices.get(id);
  }

  /** Adds the device or replaces the one with its id, even in another organization. */
  put(device: Device): void {
    const known = this.get(device.id);
    if (known?.software !== device.software || known.orgId !== device.orgId) {
      if (known !== undefined) this.titles.remove(known.orgId, known.software);
      this.titles.add(device.orgId, device.software);
    }
    const knownOrgId = known?.orgId;
    const moves = knownOrgId !== undefined && knownOrgId !== device.orgId;
    if (moves) this.#ownDevices(knownOrgId).delete(device.id);
    this.#ownDevices(device.orgId).set(device.id, device);
    this.#orgIds.set(device.id, device.orgId);
    this.machines.noteDevice(device);
    if (moves) this.machines.put(device.orgId, device.id, this.machines.get(device.id));
  }

  countOf(orgId: OrgId): number {
    return this.#partitions.get(orgId)?.devices.size ?? 0;
  }

  /** The map of the organization for writing, copied first if a snapshot shares it. */
  #ownDevices(orgId: OrgId): Map<DeviceId, Device> {
    const partition = this.#partitions.get(orgId) ?? { devices: new Map(), isShared: false };
    this.#partitions.set(orgId, partition);
    if (partition.isShared) {
      partition.devices = new Map(partition.devices);
      partition.isShared = false;
    }
    return partition.devices;
  }

  /** The current devices of these organizations (null: of all). Later writes do not change it. */
  snapshot(orgIds: readonly OrgId[] | null): readonly ReadonlyMap<DeviceId, Device>[] {
    return [...new Set(orgIds ?? this.#partitions.keys())].flatMap((orgId) => {
      const partition = this.#partitions.get(orgId);
      if (partition === undefined) return [];
      partition.isShared = true;
      return [partition.devices];
    });
  }
}
