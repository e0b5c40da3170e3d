/**
 * The devices, by organization, so that a look at one organization costs nothing for the others. A snapshot is
 * the very map in use, and the first write after it copies that map: reading stays free, and a write costs at most
 * what the read before it did.
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

  /** Adds the device or takes the place of the one with its id, of whichever organization that is. */
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

  /** How many devices the organization has. */
  countOf(orgId: OrgId): number {
    return this.#partitions.get(orgId)?.devices.size ?? 0;
  }

  /** The devices of the organization, to be changed: no snapshot is the same map. */
  #ownDevices(orgId: OrgId): Map<DeviceId, Device> {
    const partition = this.#partitions.get(orgId) ?? { devices: new Map(), isShared: false };
    this.#partitions.set(orgId, partition);
    if (partition.isShared) {
      partition.devices = new Map(partition.devices);
      partition.isShared = false;
    }
    return partition.devices;
  }

  /** The devices of these organizations (null: of all) as they are now, whatever is put in later. */
  snapshot(orgIds: readonly OrgId[] | null): readonly ReadonlyMap<DeviceId, Device>[] {
    return [...new Set(orgIds ?? this.#partitions.keys())].flatMap((orgId) => {
      const partition = this.#partitions.get(orgId);
      if (partition === undefined) return [];
      partition.isShared = true;
      return [partition.devices];
    });
  }
}
