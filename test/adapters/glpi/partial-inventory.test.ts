import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type DeviceInventory,
  type InventoriedFields,
  lastUserAfter,
} from '#domain/inventory/device-inventory.ts';
import { fieldsOf, inventoryText, readTaken, realText } from './inventories.ts';

const partialFields = (content: object, header: object = {}) => {
  const inventory = readTaken(inventoryText(content, { ...header, partial: true }));
  expect(inventory.kind).toBe('partial');
  return inventory.fields;
};

describe('a partial inventory', () => {
  test.each<[string, object, object]>([
    ['nothing but its agent', {}, { agentVersion: 'agent' }],
    ['not even an agent', { versionclient: 'missing' }, {}],
    [
      'software',
      { softwares: [{ name: 'a' }] },
      { agentVersion: 'agent', software: [{ name: 'a', version: null }] },
    ],
    ['that there is no software any more', { softwares: [] }, { agentVersion: 'agent', software: [] }],
    ['that there are no interfaces any more', { networks: [] }, { agentVersion: 'agent', network: [] }],
    [
      'a system other than Windows, macOS and Linux',
      { operatingsystem: { name: 'Android', version: '16' } },
      { agentVersion: 'agent', deviceRole: 'phone', osType: null, osVersion: '16' },
    ],
    [
      'a system without a name',
      { operatingsystem: { version: '16' } },
      { agentVersion: 'agent', osVersion: '16' },
    ],
    [
      'a user',
      { hardware: { vmsystem: 'Physical' }, users: [{ login: 'ada' }] },
      { agentVersion: 'agent', lastUser: 'ada' },
    ],
    [
      'no role for a chassis without a system',
      { hardware: { chassis_type: 'Blade' } },
      { agentVersion: 'agent' },
    ],
    [
      'a chassis with a system',
      { hardware: { chassis_type: 'Blade' }, operatingsystem: { name: 'Debian' } },
      { agentVersion: 'agent', deviceRole: 'server', osType: 'linux' },
    ],
    [
      'only the hardware that it names, so the rest is not cleared',
      { bios: { ssn: 'S1' }, cpus: [{ core: 4 }], hardware: { vmsystem: 'Physical' } },
      { agentVersion: 'agent', hardware: { serialNumber: 'S1', cpuCores: 4 } },
    ],
  ])('carries %s', (_, content, fields) => {
    expect(partialFields(content)).toStrictEqual(fields);
  });

  test('of a switch carries role and addresses only if it describes the device', () => {
    const network_device = { type: 'Networking', model: 'EX4300', ips: ['10.0.0.1'], uptime: '(100)' };
    const itemtype = 'NetworkEquipment';
    expect(partialFields({ network_device, network_ports: [] }, { itemtype })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'switch',
      hardware: { model: 'EX4300' },
      network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
      uptimeSeconds: 1,
    });
    expect(partialFields({ network_ports: [] }, { itemtype: 'NetworkEquipment' })).toStrictEqual({
      agentVersion: 'agent',
    });
  });

  test('of a phone or a printer carries its role', () => {
    expect(partialFields({}, { itemtype: 'Phone' })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'phone',
    });
    expect(partialFields({}, { itemtype: 'Printer' })).toStrictEqual({
      agentVersion: 'agent',
      deviceRole: 'printer',
    });
  });
});

interface Machine {
  readonly itemtype: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const LAPTOP = {
  bios: { smanufacturer: 'Dell', smodel: 'XPS', ssn: 'S1' },
  cpus: [{ arch: 'aarch64', core: 4, name: 'Snapdragon' }],
  drives: [{ letter: 'C:', total: 100_000, free: 60_000 }],
  hardware: { name: 'ws-1', chassis_type: 'Laptop', lastloggeduser: 'Ada', memory: 7_800 },
  memories: [{ capacity: 8_192 }],
  networks: [{ description: 'eth0', ipaddress: '10.0.0.5', mac: '00:11:22:33:44:55' }],
  operatingsystem: { name: 'Windows 11', version: '11', arch: '64-bit', fqdn: 'ws-1.example.com' },
  softwares: [{ name: 'Zoom' }],
  storages: [{ disksize: 250_000 }],
  users: [{ login: 'bob' }, { login: 'ada', domain: 'AD' }],
  videos: [{ name: 'Adreno' }],
};

/** Machines of which several sections tell the same value. */
const MACHINES: readonly (readonly [string, Machine])[] = [
  ['a laptop', { itemtype: 'Computer', content: LAPTOP }],
  [
    'a container of 32 bits',
    {
      itemtype: 'Computer',
      content: {
        bios: { ssn: 'of the host' },
        cpus: [{ arch: 'x86_64' }],
        hardware: { name: 'c-1', vmsystem: 'Docker' },
        operatingsystem: { name: 'Debian', version: '12', arch: 'i686' },
        users: [{ login: 'root' }],
      },
    },
  ],
  [
    'a router by its firmware',
    {
      itemtype: 'NetworkEquipment',
      content: {
        firmwares: [{ type: 'device', name: 'edge router', version: '6' }],
        network_components: [{ type: 'chassis', model: 'switch' }],
        network_device: { type: 'Networking', name: 'n-1', firmware: '7', ips: ['10.0.0.1'], ram: 64 },
        network_ports: [{ ips: ['10.0.1.1'], mac: '00:11:22:33:44:66' }],
      },
    },
  ],
  [
    'a switch by its chassis',
    {
      itemtype: 'NetworkEquipment',
      content: {
        firmwares: [{ type: 'device', version: '6' }],
        network_components: [{ type: 'chassis', model: 'switch' }],
        network_device: { type: 'Networking', manufacturer: 'MikroTik' },
      },
    },
  ],
  ...['computer_1', 'networkequipment_1', 'phone_1', 'printer_1'].map(
    (name) => [name, JSON.parse(realText(name))] as const,
  ),
];

describe('an unchanged machine stays as it is, whichever sections a partial inventory has', () => {
  const READ = ['firmwares', 'network_components', 'network_device', 'network_ports', ...Object.keys(LAPTOP)];

  test.each(MACHINES)('%s', (_, { itemtype = 'Computer', content }) => {
    const before = fieldsOf({ ...content, versionclient: 'agent' }, { itemtype });
    const sections = READ.filter((section) => Object.hasOwn(content, section));
    expect(sections.length).toBeGreaterThan(2);
    for (const carried of subsetsOf(sections)) {
      const partial = { itemtype, partial: true };
      const after = applied(before, readTaken(inventoryText(pick(content, carried), partial)));
      expect(after, carried.join(', ')).toStrictEqual(before);
    }
  });
});

/** Every value differs from `LAPTOP`. */
const OTHER_LAPTOP: typeof LAPTOP = {
  bios: { smanufacturer: 'HP', smodel: 'Z', ssn: 'S2' },
  cpus: [{ arch: 'x86_64', core: 8, name: 'Xeon' }],
  drives: [{ letter: 'D:', total: 200_000, free: 20_000 }],
  hardware: { name: 'ws-2', chassis_type: 'Tower', lastloggeduser: 'eve', memory: 15_800 },
  memories: [{ capacity: 16_384 }],
  networks: [{ description: 'eth0', ipaddress: '10.0.0.6', mac: '00:11:22:33:44:56' }],
  operatingsystem: { name: 'Debian Server', version: '13', arch: 'x86_64', fqdn: 'ws-2.example.com' },
  softwares: [{ name: 'Slack' }],
  storages: [{ disksize: 500_000 }],
  users: [{ login: 'ada', domain: 'NEW' }],
  videos: [{ name: 'Iris' }],
};

// Agents send `bios` and `hardware` each time.
test.each<[keyof typeof LAPTOP, readonly string[]]>([
  ['bios', ['hardware.manufacturer', 'hardware.model', 'hardware.serialNumber']],
  ['cpus', ['hardware.cpuCores', 'hardware.cpuModel']],
  ['drives', ['metrics', 'volumes']],
  ['hardware', ['hardware.ramTotalMb', 'hostname', 'lastUser']],
  ['memories', []],
  ['networks', ['network']],
  ['operatingsystem', ['deviceRole', 'osType', 'osVersion']],
  ['softwares', ['software']],
  ['storages', ['hardware.diskTotalGb']],
  ['users', ['lastUser']],
  ['videos', ['hardware.gpuModel']],
])('a partial inventory with other %s changes %j', (section, changed) => {
  const { bios, hardware } = LAPTOP;
  const content = { bios, hardware, [section]: OTHER_LAPTOP[section] };
  const before = fieldsOf(LAPTOP);
  const after = applied(before, readTaken(inventoryText(content, { partial: true })));
  expect(differences(before, after)).toStrictEqual(changed);
});

/** The device's values after the partial inventory, as a store keeps them. */
function applied(before: InventoriedFields, partial: DeviceInventory): InventoriedFields {
  const { hardware, metrics, ...others } = partial.fields;
  return {
    ...before,
    ...others,
    lastUser: lastUserAfter(partial, before.lastUser) ?? before.lastUser,
    hardware: { ...before.hardware, ...hardware },
    ...(before.metrics !== undefined && { metrics: { ...before.metrics, ...metrics } }),
  };
}

function differences(
  { hardware: hardwareBefore, ...before }: InventoriedFields,
  { hardware: hardwareAfter, ...after }: InventoriedFields,
): readonly string[] {
  const parts = Object.keys(hardwareBefore).map((name) => [`hardware.${name}`, name] as const);
  const isOther = (a: object, b: object, name: string) =>
    !isDeepStrictEqual(Reflect.get(a, name), Reflect.get(b, name));
  return [
    ...Object.keys(before).filter((name) => isOther(before, after, name)),
    ...parts.filter(([, name]) => isOther(hardwareBefore, hardwareAfter, name)).map(([path]) => path),
  ].toSorted();
}

function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, i) => bits & (1 << i)));
}

function pick(content: Machine['content'], sections: readonly string[]): Machine['content'] {
  return Object.fromEntries(sections.map((section) => [section, content[section]]));
}

test('an inventory with partial: false is full', () => {
  expect(readTaken(inventoryText({}, { partial: false })).kind).toBe('full');
});
