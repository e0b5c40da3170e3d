import { expect, test } from 'vitest';
import { readTaken, realText } from './inventories.ts';

const UNTOLD_HARDWARE = {
  manufacturer: null,
  model: null,
  serialNumber: null,
  cpuModel: null,
  gpuModel: null,
  cpuCores: null,
  ramTotalMb: null,
  diskTotalGb: null,
};

const SOFTWARE_OF_COMPUTER_1 = [
  { name: 'gitg', version: '3.32.1-1.fc31' },
  { name: 'expat', version: '2.2.8-1.fc31' },
  { name: 'gnome-calculator', version: '3.34.1-1.fc31' },
  { name: 'libcryptui', version: '3.12.2-18.fc31' },
  { name: 'tar', version: '1.32-2.fc31' },
  { name: 'gettext', version: '0.20.1-3.fc31' },
];

function at(ipAddress: string, macAddress: string) {
  return { ipAddress, publicIp: null, macAddress };
}

function ext4(name: string, totalGb: number, freeGb: number) {
  return { name, filesystem: 'ext4', totalGb, freeGb };
}

test('a laptop with Fedora is read', () => {
  expect(readTaken(realText('computer_1'))).toStrictEqual({
    kind: 'full',
    inventoryId: 'glpixps-2018-07-09-09-07-13',
    // Without the bridge of its virtual machines.
    identity: {
      systemUuid: '4c4c4544-0034-3010-8048-b6c04f503732',
      macAddresses: ['00:e0:4c:68:01:db', '44:85:00:2b:90:bc'],
    },
    // 14:19:54 local time, two hours ahead of UTC.
    takenAt: Date.UTC(2020, 5, 12, 12, 19, 54),
    bootedAt: Date.UTC(2020, 5, 9, 5, 58, 8),
    tag: '000005',
    fields: {
      hostname: 'glpixps',
      deviceRole: 'workstation',
      osType: 'linux',
      osVersion: '31 (Workstation Edition)',
      osBuild: '5.6.15-200.fc31.x86_64',
      architecture: 'x64',
      agentVersion: 'FusionInventory-Agent_v2.5.2-1.fc31',
      lastUser: 'root',
      uptimeSeconds: null,
      hardware: {
        manufacturer: 'Dell Inc.',
        model: 'XPS 13 9350',
        serialNumber: '640HP72',
        cpuModel: 'Intel(R) Core(TM) i5-6200U CPU @ 2.30GHz',
        gpuModel: null,
        cpuCores: 2,
        ramTotalMb: 7800,
        // 256,060 million bytes.
        diskTotalGb: 238.47,
      },
      network: [
        at('192.168.1.142', '00:e0:4c:68:01:db'),
        at('fe80::b283:4fa3:d3f2:96b1', '00:e0:4c:68:01:db'),
        at('192.168.1.118', '44:85:00:2b:90:bc'),
        at('fe80::92a4:26c6:99dd:2d60', '44:85:00:2b:90:bc'),
        at('192.168.122.1', '52:54:00:fa:20:0e'),
      ],
      software: SOFTWARE_OF_COMPUTER_1,
      volumes: [
        ext4('/', 39.2, 11.4),
        ext4('/var/www', 19.6, 11.6),
        ext4('/boot', 1, 0.7),
        ext4('/var/lib/mysql', 19.6, 15.4),
        ext4('/home', 117.6, 24.3),
        { name: '/boot/efi', filesystem: 'vfat', totalGb: 0.2, freeGb: 0.2 },
      ],
      // The usage of /home.
      metrics: { diskPercent: 79.3 },
    },
  });
});

test('a partial inventory of that laptop carries its changed software', () => {
  expect(readTaken(realText('computer_1_partial_softs'))).toStrictEqual({
    kind: 'partial',
    inventoryId: 'glpixps-2018-07-09-09-07-13',
    identity: { systemUuid: '4c4c4544-0034-3010-8048-b6c04f503732', macAddresses: [] },
    takenAt: null,
    bootedAt: Date.UTC(2020, 5, 9, 5, 58, 8),
    tag: '000005',
    fields: {
      hostname: 'glpixps',
      deviceRole: 'workstation',
      osType: 'linux',
      osVersion: '31 (Workstation Edition)',
      osBuild: '5.6.15-200.fc31.x86_64',
      agentVersion: 'FusionInventory-Agent_v2.5.2-1.fc31',
      lastUser: 'root',
      hardware: {
        manufacturer: 'Dell Inc.',
        model: 'XPS 13 9350',
        serialNumber: '640HP72',
        ramTotalMb: 7800,
      },
      software: SOFTWARE_OF_COMPUTER_1.with(0, { name: 'gitg', version: '3.33.0-1.fc31' }),
    },
  });
});

test('a laptop with few facts is read', () => {
  expect(readTaken(realText('computer_2'))).toStrictEqual({
    kind: 'full',
    inventoryId: 'acomputer-2021-01-26-14-32-36',
    identity: { systemUuid: '4BDRGGFE-0046-4710-8047-B2C04F503732', macAddresses: [] },
    takenAt: null,
    bootedAt: null,
    tag: null,
    fields: {
      hostname: 'COMP1',
      deviceRole: 'workstation',
      osType: null,
      osVersion: null,
      osBuild: null,
      architecture: null,
      agentVersion: 'FusionInventory-Agent_v2.3.19',
      lastUser: 'local',
      uptimeSeconds: null,
      hardware: {
        ...UNTOLD_HARDWARE,
        manufacturer: 'Dell Inc.',
        model: 'XPS 13 9350',
        serialNumber: '2FAGP34',
        ramTotalMb: 7830,
      },
      network: [],
      software: [],
    },
  });
});

test('an Android phone with an impossible boot date is read without that date', () => {
  expect(readTaken(realText('phone_1'))).toStrictEqual({
    kind: 'full',
    inventoryId: 'Mi9TPro-TéléphoneM-2019-12-18-14-30-16',
    identity: { systemUuid: 'af8d3fcfa6fe4784', macAddresses: ['E0:DC:FF:ED:09:59'] },
    takenAt: Date.UTC(2019, 11, 18, 4, 30, 16),
    bootedAt: null,
    tag: null,
    fields: {
      hostname: 'Mi9TPro-TéléphoneM',
      deviceRole: 'phone',
      osType: null,
      osVersion: '29',
      osBuild: 'Linux localhost 4.14.117-perf-g8035d1a #1 SMP PREEMPT Mon Oct 28 23:08:13 CST 2019 aarch64',
      architecture: 'arm64',
      agentVersion: 'example-app-java',
      lastUser: 'builder',
      uptimeSeconds: null,
      hardware: {
        manufacturer: 'Xiaomi',
        model: 'Mi 9T Pro',
        serialNumber: 'af8d8fcfa6fa4794',
        cpuModel: 'AArch64 Processor rev 14 (aarch64)',
        gpuModel: null,
        cpuCores: 8,
        ramTotalMb: 5523,
        // One file system of 3,471 MiB, and one of 51,913 MiB that is mounted three times.
        diskTotalGb: 54.09,
      },
      network: [
        at('172.28.214.132', 'E0:DC:FF:ED:09:59'),
        at('fe80::8077:63ff:fe5b:2a71', 'E0:DC:FF:ED:09:59'),
      ],
      software: [
        { name: "Enregistreur d'écran", version: '1.5.9' },
        { name: 'Boutique Amazon', version: '18.21.2.100' },
        { name: 'CameraTools', version: '1.0' },
      ],
      volumes: [
        { name: 'Volume 1', filesystem: null, totalGb: 3.4, freeGb: 0 },
        ...['Volume 2', 'Volume 3', 'Volume 4'].map((name) => ({
          name,
          filesystem: null,
          totalGb: 50.7,
          freeGb: 32.9,
        })),
      ],
      metrics: { diskPercent: 99.3 },
    },
  });
});

test.each([
  {
    file: 'printer_1',
    inventoryId: 'NPIF2BE10-2020-12-31-11-28-51',
    hostname: 'NPIF2BE10',
    osVersion: '2409048_052887',
    uptimeSeconds: 610_001,
    hardware: {
      manufacturer: 'Hewlett-Packard',
      model: 'HP LaserJet M507',
      serialNumber: 'PHCVN191TG',
      ramTotalMb: 512,
    },
    network: [at('10.59.29.175', '00:68:eb:f2:be:10')],
  },
  {
    file: 'printer_2',
    inventoryId: 'CanonMX5970-2020-12-31-11-28-51',
    hostname: 'MX5970',
    osVersion: '8745213_951236',
    uptimeSeconds: 696_401,
    hardware: {
      manufacturer: 'Canon',
      model: 'Canon MX 5970',
      serialNumber: 'SDFSDF9874',
      ramTotalMb: 256,
    },
    network: [at('10.59.29.176', '00:85:eb:f4:be:20'), at('10.59.29.175', '00:87:eb:f2:be:31')],
  },
])(
  'the printer in $file is read',
  ({ file, inventoryId, hostname, osVersion, uptimeSeconds, hardware, network }) => {
    expect(readTaken(realText(file))).toStrictEqual({
      kind: 'full',
      inventoryId,
      identity: { systemUuid: null, macAddresses: network.slice(0, 1).map(({ macAddress }) => macAddress) },
      takenAt: null,
      bootedAt: null,
      tag: null,
      fields: {
        hostname,
        deviceRole: 'printer',
        osType: null,
        osVersion,
        osBuild: null,
        architecture: null,
        agentVersion: null,
        lastUser: null,
        uptimeSeconds,
        hardware: { ...UNTOLD_HARDWARE, ...hardware },
        network,
        software: [],
      },
    });
  },
);

test.each([
  {
    file: 'networkequipment_1',
    inventoryId: 'foo',
    hostname: 'ucs6248up-cluster-pa3-B',
    osVersion: '5.0(3)N2(4.02b)',
    agentVersion: '4.1',
    uptimeSeconds: 41_665_338,
    hardware: { manufacturer: 'Cisco', model: 'UCS 6248UP 48-Port', serialNumber: 'SSI1912014B' },
    network: [at('10.2.5.10', '8c:60:4f:8d:ae:fc'), at('192.168.12.5', '8c:60:4f:8d:ae:fc')],
    metrics: { metrics: { cpuPercent: 4 } },
  },
  {
    file: 'networkequipment_3',
    inventoryId: 'HP-2530-48G-2020-12-31-11-28-51',
    hostname: 'HP-2530-48G',
    osVersion: 'YA.15.12.0015',
    agentVersion: '2.5',
    uptimeSeconds: 788_940,
    hardware: { manufacturer: 'Hewlett-Packard', model: '2530-48G', serialNumber: 'CN5BFP62CP' },
    network: [at('192.168.63.30', 'b0:5a:da:10:10:80')],
    metrics: {},
  },
])('the switch in $file is read', ({ file, inventoryId, hardware, network, ...told }) => {
  expect(readTaken(realText(file))).toStrictEqual({
    kind: 'full',
    inventoryId,
    identity: { systemUuid: null, macAddresses: network.slice(0, 1).map(({ macAddress }) => macAddress) },
    takenAt: null,
    bootedAt: null,
    tag: null,
    fields: {
      hostname: told.hostname,
      deviceRole: 'switch',
      osType: null,
      osVersion: told.osVersion,
      osBuild: null,
      architecture: null,
      agentVersion: told.agentVersion,
      lastUser: null,
      uptimeSeconds: told.uptimeSeconds,
      hardware: { ...UNTOLD_HARDWARE, ...hardware },
      network,
      software: [],
      ...told.metrics,
    },
  });
});
