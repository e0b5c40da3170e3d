/** The case table that assigns inventories to devices, for the rule and for every inventory store (Contract: §13). */
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { anInventory } from './builders.ts';

/** How an inventory identifies its machine. Absent facts are not reported. */
export interface MachineSigns {
  readonly id: string;
  readonly serial?: string;
  readonly uuid?: string;
  readonly macs?: readonly string[];
}

/** Inventories in the order of their arrival, each with the name of the expected device. */
export interface MachineCase {
  readonly name: string;
  readonly steps: readonly (readonly [MachineSigns, device: string])[];
}

const UUID = '4c4c4544-0034-3010-8048-b6c04f503732';
const OTHER_UUID = '4c4c4544-0051-3910-8054-c4c04f563132';
const MAC = '44:85:00:2b:90:bc';
const DOCK = '00:e0:4c:68:01:db';

export const MACHINE_CASES: readonly MachineCase[] = [
  {
    name: 'an agent that was installed again, with another deviceid: by serial number',
    steps: [
      [{ id: 'pc-2024', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'pc-2026', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'pc-2024' }, 'A'],
    ],
  },
  {
    name: 'an agent that was installed again on a machine without a serial number: by UUID',
    steps: [
      [{ id: 'pc-2024', uuid: UUID }, 'A'],
      [{ id: 'pc-2026', uuid: `{${UUID.toUpperCase()}}` }, 'A'],
      [{ id: 'pc-2028', uuid: UUID.replaceAll('-', '') }, 'A'],
    ],
  },
  {
    name: 'an agent that was installed again on a machine without either: by MAC address',
    steps: [
      [{ id: 'pc-2024', macs: [MAC] }, 'A'],
      [{ id: 'pc-2026', macs: ['08:9e:01:00:00:07', MAC.toUpperCase().replaceAll(':', '-')] }, 'A'],
    ],
  },
  {
    name: 'a host that was renamed and kept its state: by deviceid',
    steps: [
      [{ id: 'old-name-2024', serial: 'S1' }, 'A'],
      [{ id: 'old-name-2024', serial: 'S1', macs: [MAC] }, 'A'],
    ],
  },
  {
    name: 'a virtual machine and its clone, which has the deviceid, too: two',
    steps: [
      [{ id: 'vm', serial: 'VMware-56 4d 01', uuid: UUID }, 'A'],
      [{ id: 'vm', serial: 'VMware-56 4d 02', uuid: OTHER_UUID }, 'B'],
      [{ id: 'vm', serial: 'VMware-56 4d 01', uuid: UUID }, 'A'],
      [{ id: 'vm', serial: 'VMware-56 4d 02', uuid: OTHER_UUID }, 'B'],
      [{ id: 'vm', serial: 'VMware-56 4d 03', uuid: UUID }, 'C'],
    ],
  },
  {
    name: 'a virtual machine without a serial number and its clone: two by UUID',
    steps: [
      [{ id: 'vm', uuid: UUID }, 'A'],
      [{ id: 'vm', uuid: OTHER_UUID }, 'B'],
      [{ id: 'vm', uuid: UUID }, 'A'],
      [{ id: 'vm', serial: 'S1', uuid: OTHER_UUID }, 'B'],
    ],
  },
  {
    name: 'laptops that share a dock: as many as there are serial numbers',
    steps: [
      [{ id: 'one', serial: 'S1', macs: [DOCK, MAC] }, 'A'],
      [{ id: 'two', serial: 'S2', macs: [DOCK] }, 'B'],
      [{ id: 'three', uuid: UUID, macs: [DOCK] }, 'C'],
      [{ id: 'four', macs: [DOCK] }, 'D'],
    ],
  },
  {
    name: 'machines with the placeholders of a vendor: as many as there are deviceids',
    steps: [
      [{ id: 'one', serial: 'To be filled by O.E.M.', uuid: '00000000-0000-0000-0000-000000000000' }, 'A'],
      [{ id: 'two', serial: 'To Be Filled By O.E.M.', uuid: '00000000-0000-0000-0000-000000000000' }, 'B'],
      [{ id: 'three', serial: 'Default string', uuid: 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF' }, 'C'],
      [{ id: 'four', serial: 'Default string', uuid: '03000200-0400-0500-0006-000700080009' }, 'D'],
      [{ id: 'five', serial: '0', uuid: '03000200-0400-0500-0006-000700080009' }, 'E'],
      [{ id: 'six', serial: '0', uuid: 'Not Settable' }, 'F'],
      [{ id: 'one', serial: 'Default string' }, 'A'],
    ],
  },
  {
    name: 'machines with placeholders and MAC addresses of their own: by those',
    steps: [
      [{ id: 'one', serial: 'Default string', macs: [MAC] }, 'A'],
      [{ id: 'two', serial: '0123456789', macs: [MAC] }, 'A'],
    ],
  },
  {
    name: 'machines whose common addresses are of bridges, tunnels and virtual adapters: two',
    steps: [
      [{ id: 'one', macs: ['52:54:00:fa:20:0e', '00:50:56:c0:00:08', '02:42:ac:11:00:02'] }, 'A'],
      [{ id: 'two', macs: ['52:54:00:fa:20:0e', '00:50:56:c0:00:08', '02:42:ac:11:00:02'] }, 'B'],
      [{ id: 'three', macs: ['00:05:9a:3c:7a:00', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'] }, 'C'],
      [{ id: 'four', macs: ['00:05:9a:3c:7a:00', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'] }, 'D'],
    ],
  },
  {
    name: 'a mainboard that was swapped, with the serial number written onto the new one: one',
    steps: [
      [{ id: 'pc', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'pc', serial: 'S1', uuid: OTHER_UUID }, 'A'],
      [{ id: 'new', uuid: OTHER_UUID }, 'A'],
    ],
  },
  {
    name: 'a mainboard that was swapped, with a serial number of its own: nothing tells it from a clone',
    steps: [
      [{ id: 'pc', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'pc', serial: 'S2', uuid: OTHER_UUID }, 'B'],
    ],
  },
  {
    name: 'an agent without the rights to read the firmware: by deviceid, before and after',
    steps: [
      [{ id: 'pc' }, 'A'],
      [{ id: 'pc', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'pc' }, 'A'],
      [{ id: 'other', serial: 'S1', uuid: UUID }, 'A'],
    ],
  },
  {
    name: 'a serial number that is no longer reported is still known: by it, and nobody else with another',
    steps: [
      [{ id: 'pc', serial: 'S1' }, 'A'],
      [{ id: 'pc' }, 'A'],
      [{ id: 'other', serial: 'S1' }, 'A'],
      [{ id: 'other' }, 'A'],
      [{ id: 'pc', serial: 'S2' }, 'B'],
    ],
  },
  {
    name: 'a network card that was swapped: by the address of the former one',
    steps: [
      [{ id: 'one', macs: [MAC] }, 'A'],
      [{ id: 'one', macs: [DOCK] }, 'A'],
      [{ id: 'two', macs: [MAC] }, 'A'],
    ],
  },
  {
    name: 'one inventory that points at two devices: the deviceid wins, the other stays',
    steps: [
      [{ id: 'one' }, 'A'],
      [{ id: 'two', serial: 'S2' }, 'B'],
      [{ id: 'one', serial: 'S2' }, 'A'],
      [{ id: 'two', serial: 'S2' }, 'B'],
    ],
  },
  {
    name: 'one inventory that points at two devices: the serial number wins over the UUID',
    steps: [
      [{ id: 'one', serial: 'S1' }, 'A'],
      [{ id: 'two', uuid: UUID }, 'B'],
      [{ id: 'three', serial: 'S1', uuid: UUID }, 'A'],
      [{ id: 'two', uuid: UUID }, 'B'],
    ],
  },
  {
    name: 'clones with one deviceid and an inventory of neither: the one that came first',
    steps: [
      [{ id: 'vm', serial: 'S1' }, 'A'],
      [{ id: 'vm', serial: 'S2' }, 'B'],
      [{ id: 'vm' }, 'A'],
    ],
  },
  {
    name: 'serial numbers that differ in case alone: one',
    steps: [
      [{ id: 'one', serial: 'abc123x' }, 'A'],
      [{ id: 'two', serial: 'ABC123X' }, 'A'],
    ],
  },
];

/** A full inventory with the signs. */
export function inventoryWith({ id, serial, uuid, macs = [] }: MachineSigns): FullInventory {
  return anInventory(
    {
      hostname: id,
      hardware: { ...NO_HARDWARE, serialNumber: serial ?? null },
      network: macs.map((macAddress) => ({ ipAddress: null, publicIp: null, macAddress })),
    },
    { inventoryId: id, identity: { systemUuid: uuid ?? null, macAddresses: macs } },
  );
}

type FullInventory = Extract<DeviceInventory, { kind: 'full' }>;
