import type { Device } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { KnownMachine, ReportedMachine } from '#domain/inventory/find-machine.ts';
import { joinKeys, type MachineKeys, machineKeys, toRemembered } from '#domain/inventory/machine-keys.ts';
import type { AgentSigns } from '#domain/inventory/presence.ts';
import type { EpochMs } from '#domain/time.ts';

/** Facts that identify a machine but are not part of its device. */
export interface StoredMachine extends AgentSigns {
  readonly inventoryIds: ReadonlySet<string>;
  readonly systemUuid: string | null;
  /** Keys from earlier reports and merges. */
  readonly remembered: MachineKeys;
  /** When the machine first reported itself; null if it was only loaded or imported. */
  readonly reportsSince: EpochMs | null;
}

interface Devices {
  get(id: DeviceId): Device | undefined;
}

const NO_KEYS: MachineKeys = { serials: [], uuids: [], macs: [] };

const UNREPORTED: StoredMachine = {
  inventoryIds: new Set(),
  systemUuid: null,
  remembered: NO_KEYS,
  reportsSince: null,
  makesContact: false,
  inventoriedAt: null,
};

export class MachineTable {
  readonly #machines = new Map<DeviceId, StoredMachine>();
  /** Devices by every key they ever had. Callers must check which keys they have now. */
  readonly #sharers = new Map<string, Set<DeviceId>>();

  get(id: DeviceId): StoredMachine {
    return this.#machines.get(id) ?? UNREPORTED;
  }

  put(orgId: OrgId, id: DeviceId, machine: StoredMachine): void {
    this.#machines.set(id, machine);
    const { inventoryIds, systemUuid, remembered } = machine;
    this.#share(orgId, id, inventoryIds, joinKeys(keysOfUuid(systemUuid), remembered));
  }

  remove(id: DeviceId): void {
    this.#machines.delete(id);
  }

  /** Call this after every change of a device. */
  noteDevice(device: Device): void {
    this.#share(device.orgId, device.id, new Set(), keysOfRows(device));
  }

  keysOf(device: Device): MachineKeys {
    return joinKeys(currentKeys(device, this.get(device.id)), this.get(device.id).remembered);
  }

  /** The organization's machines that share a past or present key with the reported one. */
  sharing(orgId: OrgId, { inventoryId, keys }: ReportedMachine, devices: Devices): readonly KnownMachine[] {
    const names = namesOf(orgId, new Set([inventoryId]), keys);
    const ids = new Set(names.flatMap((name) => [...(this.#sharers.get(name) ?? [])]));
    return [...ids].flatMap((id) => {
      const device = devices.get(id);
      if (device?.orgId !== orgId) return [];
      return [{ id, inventoryIds: this.get(id).inventoryIds, keys: this.keysOf(device) }];
    });
  }

  *heardOf(): Iterable<readonly [DeviceId, StoredMachine]> {
    for (const [id, machine] of this.#machines) {
      if (machine.reportsSince !== null || machine.makesContact) yield [id, machine];
    }
  }

  /** Devices that use the inventoryId or used it in the past. */
  using(orgId: OrgId, inventoryId: string, devices: Devices): readonly Device[] {
    const ids = this.#sharers.get(`${orgId} id ${inventoryId}`) ?? [];
    return [...ids].flatMap((id) => {
      const device = devices.get(id);
      return device?.orgId === orgId ? [device] : [];
    });
  }

  #share(orgId: OrgId, id: DeviceId, inventoryIds: ReadonlySet<string>, keys: MachineKeys): void {
    for (const name of namesOf(orgId, inventoryIds, keys)) {
      const sharers = this.#sharers.get(name);
      if (sharers === undefined) this.#sharers.set(name, new Set([id]));
      else sharers.add(id);
    }
  }
}

/** Organization ids have a fixed length, so no two names collide. */
function namesOf(orgId: OrgId, inventoryIds: ReadonlySet<string>, keys: MachineKeys): readonly string[] {
  return [
    ...[...inventoryIds].map((inventoryId) => `${orgId} id ${inventoryId}`),
    ...toRemembered(keys).map(({ kind, key }) => `${orgId} ${kind} ${key}`),
  ];
}

export function currentKeys(device: Device, { systemUuid }: Pick<StoredMachine, 'systemUuid'>): MachineKeys {
  return joinKeys(keysOfRows(device), keysOfUuid(systemUuid));
}

function keysOfRows({ hardware, network }: Device): MachineKeys {
  const macAddresses = network.map(({ macAddress }) => macAddress).filter((address) => address !== null);
  return machineKeys({ serialNumbers: [hardware.serialNumber], systemUuids: [], macAddresses });
}

function keysOfUuid(systemUuid: string | null): MachineKeys {
  return machineKeys({ serialNumbers: [], systemUuids: [systemUuid], macAddresses: [] });
}
