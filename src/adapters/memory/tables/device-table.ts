/** Snapshots share the live maps. The first write after a snapshot copies the map that it changes. */
import type { LiveTable } from '#adapters/memory/live/live-table.ts';
import type { CustomValue, Device } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { MachineTable } from './machine-table.ts';
import { TitleTable } from './title-table.ts';

export class DeviceTable {
  readonly #partitions = new Map<OrgId, { devices: Map<DeviceId, Device>; isShared: boolean }>();
  readonly #orgIds = new Map<DeviceId, OrgId>();
  readonly machines = new MachineTable();
  readonly titles = new TitleTable();
  readonly #live: Pick<LiveTable, 'mark'>;

  /** Every change of a device leaves a mark in `live`. */
  constructor(live: Pick<LiveTable, 'mark'>) {
    this.#live = live;
  }

  get(id: DeviceId): Device | undefined {
    const orgId = this.#orgIds.get(id);
    return orgId === undefined ? undefined : this.#partitions.get(orgId)?.devices.get(id);
  }

  /** Also moves a device that is in another organization. */
  put(device: Device): void {
    const known = this.get(device.id);
    if (known?.software !== device.software || known.orgId !== device.orgId) {
      if (known !== undefined) this.titles.remove(known.orgId, known.software);
      this.titles.add(device.orgId, device.software);
    }
    const knownOrgId = known?.orgId;
    const moves = knownOrgId !== undefined && knownOrgId !== device.orgId;
    if (moves) {
      this.#ownDevices(knownOrgId).delete(device.id);
      this.#live.mark(knownOrgId, device.id, 'moved');
    }
    this.#live.mark(device.orgId, device.id, moves ? 'moved' : 'changed');
    this.#ownDevices(device.orgId).set(device.id, device);
    this.#orgIds.set(device.id, device.orgId);
    this.machines.noteDevice(device);
    if (moves) this.machines.put(device.orgId, device.id, this.machines.get(device.id));
  }

  remove(device: Device): void {
    this.#live.mark(device.orgId, device.id, 'deleted');
    this.titles.remove(device.orgId, device.software);
    this.#ownDevices(device.orgId).delete(device.id);
    this.#orgIds.delete(device.id);
    this.machines.remove(device.id);
  }

  countOf(orgId: OrgId): number {
    return this.#partitions.get(orgId)?.devices.size ?? 0;
  }

  countIn(orgIds: readonly OrgId[] | null): number {
    return [...new Set(orgIds ?? this.#partitions.keys())].reduce((sum, id) => sum + this.countOf(id), 0);
  }

  #ownDevices(orgId: OrgId): Map<DeviceId, Device> {
    const partition = this.#partitions.get(orgId) ?? { devices: new Map(), isShared: false };
    this.#partitions.set(orgId, partition);
    if (partition.isShared) {
      partition.devices = new Map(partition.devices);
      partition.isShared = false;
    }
    return partition.devices;
  }

  /** The current devices, unaffected by later writes. Null means all organizations. */
  snapshot(orgIds: readonly OrgId[] | null): Generator<Device, void> {
    const shared: ReadonlyMap<DeviceId, Device>[] = [];
    for (const orgId of new Set(orgIds ?? this.#partitions.keys())) {
      const partition = this.#partitions.get(orgId);
      if (partition === undefined) continue;
      partition.isShared = true;
      shared.push(partition.devices);
    }
    return valuesOf(shared);
  }
}

function* valuesOf(partitions: readonly ReadonlyMap<DeviceId, Device>[]): Generator<Device, void> {
  for (const partition of partitions) yield* partition.values();
}

export function copyDevice(device: Device): Device {
  return {
    ...device,
    tags: [...device.tags],
    hardware: { ...device.hardware },
    metrics: { ...device.metrics },
    network: device.network.map((row) => ({ ...row })),
    volumes: device.volumes.map((row) => ({ ...row })),
    software: device.software.map((row) => ({ ...row })),
    patches: device.patches?.map(({ title, status }) => ({ title, status })) ?? null,
    custom: new Map([...device.custom].map(([key, value]) => [key, copyCustomValue(value)])),
  };
}

/** Counts the pending patches. The caller counts the critical alerts. */
export function toDevice({ kind: _kind, ...device }: DeviceRecord, criticalAlertCount: number): Device {
  const pendingPatchCount = device.patches?.filter(({ status }) => status === 'pending').length ?? 0;
  return copyDevice({ ...device, pendingPatchCount, criticalAlertCount });
}

/** Values can be nested deeper than structuredClone allows (about 1,700 levels in Node 26). */
function copyCustomValue(value: CustomValue): CustomValue {
  return typeof value === 'object' && value !== null ? JSON.parse(jsonText(value)) : value;
}
