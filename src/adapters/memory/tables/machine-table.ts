/** What tells the machines behind devices apart, and which devices share it. */
import type { Device } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { KnownMachine, ReportedMachine } from '#domain/inventory/find-machine.ts';
import { type MachineKeys, machineKeys } from '#domain/inventory/machine-keys.ts';
import type { EpochMs } from '#domain/time.ts';

/** What inventories have said that the device does not show. */
export interface StoredMachine {
  /** Every one that it has gone by. */
  readonly inventoryIds: ReadonlySet<string>;
  /** As it was reported; null if it never was. */
  readonly systemUuid: string | null;
  /** When it first reported by itself; null if it was loaded or imported only. */
  readonly reportsSince: EpochMs | null;
}

interface Devices {
  get(id: DeviceId): Device | undefined;
}

const UNREPORTED: StoredMachine = { inventoryIds: new Set(), systemUuid: null, reportsSince: null };

export class MachineTable {
  readonly #machines = new Map<DeviceId, StoredMachine>();
  /** Devices by what they have or had, which is to be looked at again before it counts. */
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

  /** To be called with every device that changes, whatever has changed. */
  noteDevice(device: Device): void {
    this.#share(device.orgId, device.id, { keys: keysOf(device, null) });
  }

  /** The machines behind the devices of the organization that have, or once had, something in common with this one. */
  sharing(orgId: OrgId, reported: ReportedMachine, devices: Devices): readonly KnownMachine[] {
    const ids = new Set(namesOf(orgId, reported).flatMap((name) => [...(this.#sharers.get(name) ?? [])]));
    return [...ids].flatMap((id) => {
      const device = devices.get(id);
      const { inventoryIds, systemUuid } = this.get(id);
      return device?.orgId !== orgId ? [] : [{ id, inventoryIds, keys: keysOf(device, systemUuid) }];
    });
  }

  /** The devices that report by themselves, each with the instant since when. */
  *reporting(): Iterable<readonly [DeviceId, EpochMs]> {
    for (const [id, { reportsSince }] of this.#machines) if (reportsSince !== null) yield [id, reportsSince];
  }

  /** Whether a device of the organization has gone by the inventoryId. */
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

/** An organization's id is of one length, so that no two share a name. */
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
