import type { Device } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { KnownMachine, ReportedMachine } from '#domain/inventory/find-machine.ts';
import { type MachineKeys, machineKeys } from '#domain/inventory/machine-keys.ts';
import type { EpochMs } from '#domain/time.ts';

/** Reported facts that identify a machine but are not part of its device. */
export interface StoredMachine {
  readonly inventoryIds: ReadonlySet<string>;
  readonly systemUuid: string | null;
  /** When it first reported by itself; null if it was only loaded or imported. */
  readonly reportsSince: EpochMs | null;
}

interface Devices {
  get(id: DeviceId): Device | undefined;
}

const UNREPORTED: StoredMachine = { inventoryIds: new Set(), systemUuid: null, reportsSince: null };

export class MachineTable {
  readonly #machines = new Map<DeviceId, StoredMachine>();
  /** Devices by past and present keys. Callers must check the present keys again. */
  readonly #sharers = new Map<string, Set<DeviceId>>();

  get(id: DeviceId): StoredMachine {
    return this.#machines.get(id) ?? UNREPORTED;
  }

  put(orgId: OrgId, id: DeviceId, machine: StoredMachine): void {
    this.#machines.set(id, machine);
    const { inventoryIds, systemUuid } = machine;
    const keys = machineKeys({ serialNumber: null, systemUuid, macAddresses: [] });
    for (const inventoryId of inventoryIds) this.#share(orgId, id, { inventoryId, keys });
  }

  /** Must be called after every change to a device. */
  noteDevice(device: Device): void {
    this.#share(device.orgId, device.id, { keys: keysOf(device, null) });
  }

  /** The organization's machines that share, or once shared, a key with this one. */
  sharing(orgId: OrgId, reported: ReportedMachine, devices: Devices): readonly KnownMachine[] {
    const ids = new Set(namesOf(orgId, reported).flatMap((name) => [...(this.#sharers.get(name) ?? [])]));
    return [...ids].flatMap((id) => {
      const device = devices.get(id);
      const { inventoryIds, systemUuid } = this.get(id);
      return device?.orgId !== orgId ? [] : [{ id, inventoryIds, keys: keysOf(device, systemUuid) }];
    });
  }

  /** The devices that report by themselves, each with the instant of its first report. */
  *reporting(): Iterable<readonly [DeviceId, EpochMs]> {
    for (const [id, { reportsSince }] of this.#machines) if (reportsSince !== null) yield [id, reportsSince];
  }

  knows(orgId: OrgId, inventoryId: string, devices: Devices): boolean {
    const ids = this.#sharers.get(`${orgId} id ${inventoryId}`) ?? [];
    return [...ids].some((id) => devices.get(id)?.orgId === orgId);
  }

  #share(orgId: OrgId, id: DeviceId, named: Named): void {
    for (const name of namesOf(orgId, named)) {
      const sharers = this.#sharers.get(name);
      if (sharers === undefined) this.#sharers.set(name, new Set([id]));
      else sharers.add(id);
    }
  }
}

type Named = Partial<Pick<ReportedMachine, 'inventoryId'>> & Pick<ReportedMachine, 'keys'>;

/** Organization ids have a fixed length, so no two names collide. */
function namesOf(orgId: OrgId, { inventoryId, keys: { serial, uuid, macs } }: Named): readonly string[] {
  return [
    ...(inventoryId === undefined ? [] : [`${orgId} id ${inventoryId}`]),
    ...(serial === null ? [] : [`${orgId} serial ${serial}`]),
    ...(uuid === null ? [] : [`${orgId} uuid ${uuid}`]),
    ...macs.map((mac) => `${orgId} mac ${mac}`),
  ];
}

function keysOf({ hardware, network }: Device, systemUuid: string | null): MachineKeys {
  const macAddresses = network.map(({ macAddress }) => macAddress).filter((address) => address !== null);
  return machineKeys({ serialNumber: hardware.serialNumber, systemUuid, macAddresses });
}
