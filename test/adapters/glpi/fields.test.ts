import { describe, expect, test } from 'vitest';
import { fieldsOf, inventoryText, readTaken } from './inventories.ts';

describe('hostname', () => {
  test.each<[string, object, string]>([
    [
      'the name of a computer',
      { hardware: { name: ' PC-1 ' }, operatingsystem: { fqdn: 'pc-1.example.com' } },
      'PC-1',
    ],
    [
      'the domain name if the name is blank',
      { hardware: { name: ' ' }, operatingsystem: { fqdn: 'pc-1.example.com' } },
      'pc-1.example.com',
    ],
    [
      'the name of a device that was asked over the network',
      { network_device: { type: 'Networking', name: 'sw-1' } },
      'sw-1',
    ],
    ['the device id if there is no other name', {}, 'device-1'],
  ])('is %s', (_, content, hostname) => {
    expect(fieldsOf(content).hostname).toBe(hostname);
  });
});

describe('osType', () => {
  test.each<[object, string | null]>([
    [{ name: 'Windows', full_name: 'Microsoft Windows 11 Pro', kernel_name: 'MSWin32' }, 'windows'],
    [{ full_name: 'Microsoft(R) Windows(R) Server 2003, Enterprise Edition x64' }, 'windows'],
    [{ name: 'macOS', full_name: 'macOS 15.1', kernel_name: 'darwin' }, 'macos'],
    [{ name: 'Mac OS X' }, 'macos'],
    [{ name: 'OS X' }, 'macos'],
    [{ name: 'Debian', kernel_name: 'linux' }, 'linux'],
    [{ name: 'Ubuntu' }, 'linux'],
    [{ name: 'SUSE LINUX' }, 'linux'],
    [{ name: 'Something', kernel_name: 'Linux' }, 'linux'],
    [{ name: 'Android', kernel_name: 'linux' }, null],
    [{ full_name: 'Q Android 10.0 api 29', kernel_name: 'linux' }, null],
    [{ name: 'iOS', kernel_name: 'darwin' }, null],
    [{ name: 'iPadOS 18' }, null],
    [{ name: 'FreeBSD', kernel_name: 'freebsd' }, null],
    [{ name: 'VMware ESXi', full_name: 'VMware ESXi 8.0.2' }, null],
    [{ name: 'Cisco IOS' }, null],
    [{ name: 'AIX', kernel_name: 'aix' }, null],
    [{}, null],
  ])('of %j is %j', (operatingsystem, osType) => {
    expect(fieldsOf({ operatingsystem }).osType).toBe(osType);
  });
});

describe('osVersion and osBuild', () => {
  test.each<[object, string | null, string | null]>([
    [{ version: '22H2', kernel_version: '10.0.19045' }, '22H2', '10.0.19045'],
    [{ version: '6.1', service_pack: 'Service Pack 1' }, '6.1', 'Service Pack 1'],
    [{ version: ' ', kernel_version: '' }, null, null],
  ])('of the system %j are %j and %j', (operatingsystem, osVersion, osBuild) => {
    expect(fieldsOf({ operatingsystem })).toMatchObject({ osVersion, osBuild });
  });

  test('of a device without a system are its firmware and null', () => {
    const firmwares = [
      { type: 'bios', version: '1' },
      { type: 'device', version: '12.2(50)SE5' },
    ];
    expect(fieldsOf({ firmwares })).toMatchObject({ osVersion: '12.2(50)SE5', osBuild: null });
  });
});

describe('architecture', () => {
  test.each<[string | undefined, string | undefined, string | null]>([
    ['x86_64', undefined, 'x64'],
    ['amd64', undefined, 'x64'],
    ['AMD64', 'i386', 'x64'],
    ['64-bit', 'i386', 'x64'],
    ['64 bits', undefined, 'x64'],
    ['64-bit', 'aarch64', 'arm64'],
    ['i686', 'x86_64', 'x86'],
    ['386', undefined, 'x86'],
    ['i386', undefined, 'x86'],
    ['x86', undefined, 'x86'],
    ['32-bit', 'i386', 'x86'],
    ['aarch64', undefined, 'arm64'],
    ['arm64', undefined, 'arm64'],
    ['ARM 64-bit Processor', undefined, 'arm64'],
    ['arm64-v8a,armeabi-v7a,armeabi', undefined, 'arm64'],
    ['armeabi-v7a', undefined, null],
    ['armv7l', undefined, null],
    ['powerpc', undefined, null],
    [undefined, 'x86_64', 'x64'],
    [undefined, 'aarch64', 'arm64'],
    [undefined, 'i386', null],
    [undefined, undefined, null],
  ])('of a %j system on a %j processor is %j', (system, processor, architecture) => {
    const operatingsystem = { arch: system };
    const cpus = [{ arch: processor }];
    expect(fieldsOf({ operatingsystem, cpus }).architecture).toBe(architecture);
  });
});

describe('agentVersion', () => {
  test.each([
    ['GLPI-Agent_v1.7', 'GLPI-Agent_v1.7'],
    ['missing', null],
    ['', null],
  ])('of %j is %j', (versionclient, agentVersion) => {
    expect(fieldsOf({ versionclient }).agentVersion).toBe(agentVersion);
  });
});

describe('lastUser', () => {
  test.each<[string, object, string | null]>([
    ['the last to log in', { hardware: { lastloggeduser: 'ada' }, users: [{ login: 'bob' }] }, 'ada'],
    [
      'the last to log in, with a domain',
      { hardware: { lastloggeduser: 'Ada' }, users: [{ login: 'bob' }, { login: 'ada', domain: 'AD' }] },
      'AD\\Ada',
    ],
    ['taken with the domain that it has already', { hardware: { lastloggeduser: 'AD\\ada' } }, 'AD\\ada'],
    ['a user who is logged in', { users: [{ login: 'bob', domain: 'AD' }, { login: 'ada' }] }, 'AD\\bob'],
    ['not a domain alone', { users: [{ domain: 'AD' }] }, null],
    [
      'not given the domain of another user',
      { users: [{ login: 'bob' }, { login: 'ada', domain: 'AD' }] },
      'bob',
    ],
    ['nobody', { hardware: { lastloggeduser: '' }, users: [] }, null],
    [
      'not the file that last(1) names if nobody has logged in',
      { hardware: { lastloggeduser: 'wtmp' } },
      null,
    ],
    ['not the file that FreeBSD names', { hardware: { lastloggeduser: 'utx.log' } }, null],
    ['not the file that wtmpdb names', { hardware: { lastloggeduser: '/var/lib/wtmpdb/wtmp.db' } }, null],
    [
      'a user who is logged in, instead of that file',
      { hardware: { lastloggeduser: 'wtmp' }, users: [{ login: 'bob' }] },
      'bob',
    ],
    ['a user whose name begins like that file', { hardware: { lastloggeduser: 'wtmpadmin' } }, 'wtmpadmin'],
  ])('is %s', (_, content, lastUser) => {
    expect(fieldsOf(content).lastUser).toBe(lastUser);
  });
});

describe('software', () => {
  test('is listed once for each version, and not without a name', () => {
    const softwares = [
      { name: 'a', version: '1', arch: 'x86_64' },
      { name: ' a ', version: '1', arch: 'i686' },
      { name: 'a', version: '2' },
      { name: 'a' },
      { name: 'a', version: '' },
      { name: ' ', version: '1' },
      { name: '\u0085', version: '1' },
      { name: 'b' },
    ];
    expect(fieldsOf({ softwares }).software).toStrictEqual([
      { name: 'a', version: '1' },
      { name: 'a', version: '2' },
      { name: 'a', version: null },
      { name: 'b', version: null },
    ]);
  });
});

describe('network', () => {
  const of = (...rows: readonly (readonly [string | null, string | null])[]) =>
    rows.map(([ipAddress, macAddress]) => ({ ipAddress, publicIp: null, macAddress }));
  const eth = { description: 'eth0', mac: '00:00:5e:00:53:01' };

  test.each<[string, object, readonly object[]]>([
    [
      'two addresses of one interface',
      { networks: [{ ...eth, ipaddress: '10.0.0.1', ipaddress6: 'fe80::1' }] },
      of(['10.0.0.1', eth.mac], ['fe80::1', eth.mac]),
    ],
    ['an interface without an address', { networks: [eth] }, of([null, eth.mac])],
    [
      'one row for an interface that is listed again with an address',
      { networks: [eth, { ...eth, ipaddress: '10.0.0.1' }] },
      of(['10.0.0.1', eth.mac]),
    ],
    [
      'one row for an address that is listed twice',
      {
        networks: [
          { ...eth, ipaddress: '10.0.0.1' },
          { ...eth, ipaddress: '10.0.0.1' },
        ],
      },
      of(['10.0.0.1', eth.mac]),
    ],
    [
      'an address without an interface',
      { networks: [{ description: 'vpn', ipaddress: '10.0.0.1' }] },
      of(['10.0.0.1', null]),
    ],
    [
      'no loopback',
      {
        networks: [{ description: 'lo', type: 'loopback', ipaddress: '127.0.0.1', mac: '00:00:00:00:00:00' }],
      },
      [],
    ],
    [
      'no loopback that only its address reveals',
      {
        networks: [
          { description: 'lo', ipaddress: '127.0.0.1' },
          { description: 'lo', ipaddress6: '::1' },
        ],
      },
      [],
    ],
    ['no address 0.0.0.0', { networks: [{ ...eth, ipaddress: '0.0.0.0' }] }, of([null, eth.mac])],
    ['no interface without address and MAC', { networks: [{ description: 'tun0', mac: '' }] }, []],
    [
      'a switch and its ports with an address',
      {
        network_device: { type: 'Networking', ips: ['10.0.0.1', '::1'], mac: eth.mac },
        network_ports: [
          { mac: '00:00:5e:00:53:02' },
          { mac: eth.mac, ips: ['10.0.0.1'] },
          { mac: '00:00:5e:00:53:03', ips: ['10.0.0.3'] },
        ],
      },
      of(['10.0.0.1', eth.mac], ['10.0.0.3', '00:00:5e:00:53:03']),
    ],
    [
      'a switch with its MAC address alone',
      { network_device: { type: 'Networking', mac: eth.mac } },
      of([null, eth.mac]),
    ],
  ])('has %s', (_, content, network) => {
    expect(fieldsOf(content).network).toStrictEqual(network);
  });
});

describe('hardware', () => {
  test.each<[string, object, object]>([
    [
      'the system rather than the board',
      {
        bios: {
          smanufacturer: 'Dell',
          mmanufacturer: 'Foxconn',
          smodel: 'XPS',
          mmodel: '07',
          ssn: 'S',
          msn: 'M',
        },
      },
      { manufacturer: 'Dell', model: 'XPS', serialNumber: 'S' },
    ],
    [
      'the board if the system has placeholders',
      {
        bios: {
          smanufacturer: 'System manufacturer',
          smodel: 'To Be Filled By O.E.M.',
          ssn: 'Default string',
          mmanufacturer: 'ASUSTeK',
          mmodel: 'PRIME',
          msn: 'M1',
        },
      },
      { manufacturer: 'ASUSTeK', model: 'PRIME', serialNumber: 'M1' },
    ],
    [
      'no serial number for a container, which shows that of its host',
      { bios: { smodel: 'XPS', ssn: 'S', msn: 'M' }, hardware: { vmsystem: 'lxc' } },
      { model: 'XPS', serialNumber: null },
    ],
    [
      'the serial number of a virtual machine',
      { bios: { ssn: 'VMware-56 4d' }, hardware: { vmsystem: 'VMware' } },
      { serialNumber: 'VMware-56 4d' },
    ],
    [
      'nothing for placeholders',
      { bios: { ssn: '0000000', msn: 'None', smodel: 'N/A' } },
      { serialNumber: null, model: null },
    ],
    [
      'all cores of all processors',
      { cpus: [{ name: 'Xeon', core: 8 }, { name: 'Xeon', corecount: 4 }, {}] },
      { cpuModel: 'Xeon', cpuCores: 12 },
    ],
    [
      'no cores if the inventory has none',
      { cpus: [{ familyname: 'Core i5' }] },
      { cpuModel: 'Core i5', cpuCores: null },
    ],
    [
      'the memory of the system',
      { hardware: { memory: 7800 }, memories: [{ capacity: 8192 }] },
      { ramTotalMb: 7800 },
    ],
    [
      'the memory of its modules if the system has none',
      { hardware: { memory: 0 }, memories: [{ capacity: 4096 }, {}, { capacity: 4096 }] },
      { ramTotalMb: 8192 },
    ],
    ['the memory of a switch', { network_device: { type: 'Networking', memory: 512 } }, { ramTotalMb: 512 }],
    [
      'the first graphics card with a name',
      { videos: [{ resolution: '1x1' }, { name: 'Iris' }, { name: 'Iris' }] },
      { gpuModel: 'Iris' },
    ],
  ])('has %s', (_, content, hardware) => {
    expect(fieldsOf(content).hardware).toMatchObject(hardware);
  });

  test.each<[string, object, number | null]>([
    [
      'the disks that are built in',
      {
        storages: [
          { disksize: 1_000_000, type: 'disk' },
          { disksize: 500_000 },
          { disksize: 700, type: 'CD-ROM' },
          { disksize: 64_000, interface: 'USB' },
          { disksize: 32_000, type: 'Removable Media' },
        ],
        drives: [{ total: 1 }],
      },
      1396.98,
    ],
    [
      'file systems if disks have no size',
      {
        storages: [{ name: 'sda' }],
        drives: [
          { total: 1024, volumn: '/dev/sda1' },
          { total: 2048, volumn: '/dev/sda2' },
        ],
      },
      3,
    ],
    [
      'each file system once',
      {
        drives: [
          { total: 1024, serial: 'a' },
          { total: 1024, serial: 'a' },
        ],
      },
      1,
    ],
    [
      'no network file systems, and none in memory',
      {
        drives: [
          { total: 1024, filesystem: 'ext4' },
          { total: 9999, filesystem: 'nfs4' },
          { total: 9999, volumn: 'nas:/home' },
          { total: 9999, volumn: '\\\\nas\\home' },
          { total: 9999, filesystem: 'tmpfs' },
        ],
      },
      1,
    ],
    ['nothing without a size', { drives: [{}], storages: [] }, null],
  ])('counts as disk space: %s', (_, content, diskTotalGb) => {
    expect(fieldsOf(content).hardware.diskTotalGb).toBe(diskTotalGb);
  });
});

describe('takenAt', () => {
  const taken = (logdate: string, timezone?: object) =>
    readTaken(inventoryText({ accesslog: { logdate }, operatingsystem: { timezone } })).takenAt;

  test.each<[string, string | undefined, number | null]>([
    ['2026-02-10 08:00:00', undefined, Date.UTC(2026, 1, 10, 8)],
    ['2026-02-10T08:00:00', undefined, Date.UTC(2026, 1, 10, 8)],
    ['2026-02-10 08:00:00', '+0530', Date.UTC(2026, 1, 10, 2, 30)],
    ['2026-02-10 08:00:00', '-0800', Date.UTC(2026, 1, 10, 16)],
    ['2026-02-10T08:00:00Z', '+0530', Date.UTC(2026, 1, 10, 8)],
    ['2026-02-10T08:00:00-01:00:00', '+0530', Date.UTC(2026, 1, 10, 9)],
    ['2026-02-30 08:00:00', undefined, null],
    ['2026-02-10 24:00:00', undefined, null],
  ])('of %j in zone %j is %j', (logdate, offset, epochMs) => {
    expect(taken(logdate, offset === undefined ? undefined : { name: 'local', offset })).toBe(epochMs);
  });

  test('is not the date in the device id, which is when the agent first ran', () => {
    expect(readTaken(inventoryText({}, { deviceid: 'pc-2021-01-26-14-32-36' })).takenAt).toBeNull();
  });
});

describe('volumes', () => {
  const C = {
    letter: 'C:',
    label: 'System',
    filesystem: 'NTFS',
    type: 'Local Disk',
    total: 102_400,
    free: 5_120,
  };

  test.each<[string, object, unknown]>([
    ['a letter', C, { name: 'C:', filesystem: 'NTFS', totalGb: 100, freeGb: 5 }],
    [
      'a mount point',
      { type: '/srv', label: 'data', total: 51 },
      { name: '/srv', filesystem: null, totalGb: 0, freeGb: null },
    ],
    [
      'a label',
      { type: 'Local Disk', label: 'Recovery', total: 1_536, free: 0 },
      { name: 'Recovery', filesystem: null, totalGb: 1.5, freeGb: 0 },
    ],
    [
      'a letter alone',
      { letter: 'E:', total: 0, free: 0 },
      { name: 'E:', filesystem: null, totalGb: null, freeGb: null },
    ],
    [
      'their number if they have no name',
      {},
      { name: 'Volume 1', filesystem: null, totalGb: null, freeGb: null },
    ],
  ])('are named after %s', (_, drive, volume) => {
    expect(fieldsOf({ drives: [drive] }).volumes).toStrictEqual([volume]);
  });

  test.each<[string, readonly object[], number | null]>([
    ['the fullest', [C, { letter: 'D:', total: 1_000, free: 15 }], 98.5],
    ['a disk with NTFS under Linux', [{ type: '/mnt', filesystem: 'fuseblk', total: 10, free: 1 }], 90],
    ['an overfull one, as 100 %', [{ type: '/', total: 10, free: -1 }], 100],
    ['none whose free space is unknown', [{ type: '/', total: 10 }], null],
    ['none without a size', [{ type: '/', total: 0, free: 0 }], null],
    ['none if there are no drives', [], null],
    ...[
      { type: '/net', filesystem: 'nfs4', volumn: 'files:/export' },
      { type: '/net', volumn: 'files:/export' },
      { type: '/net', filesystem: 'cifs', volumn: '//files/share' },
      { letter: 'Z:', filesystem: 'NTFS', type: 'Network Drive' },
      { letter: 'D:', filesystem: 'UDF', type: 'Compact Disc' },
      { letter: 'D:', type: 'CD-Rom Disc' },
      { type: '/media', filesystem: 'iso9660' },
      { letter: 'R:', type: 'RAM Disk' },
      { type: '/run', filesystem: 'tmpfs' },
      { type: '/snap/core/1', filesystem: 'squashfs', volumn: '/dev/loop0' },
      { type: '/docker', filesystem: 'overlay' },
    ].map((drive): [string, object[], number] => [
      `not ${JSON.stringify(drive)}`,
      [{ ...drive, total: 100, free: 0 }, C],
      95,
    ]),
  ])('count for diskPercent: %s', (_, drives, diskPercent) => {
    expect(fieldsOf({ drives }).metrics).toStrictEqual({ diskPercent });
  });

  test('are unknown without drives', () => {
    expect(fieldsOf({})).not.toHaveProperty('volumes');
    expect(fieldsOf({})).not.toHaveProperty('metrics');
  });

  test.each([
    [0, { cpuPercent: 0 }],
    [101, undefined],
    [-1, undefined],
  ])('a CPU load of %d percent of a network device gives the metrics %j', (cpu, metrics) => {
    expect(fieldsOf({ network_device: { type: 'Networking', cpu } }).metrics).toStrictEqual(metrics);
  });
});

describe('uptime', () => {
  test.each([
    ['2026-02-09 08:00:00', '+0200', Date.UTC(2026, 1, 9, 6)],
    ['2026-02-09 08:00:00', '-0330', Date.UTC(2026, 1, 9, 11, 30)],
    ['2026-02-30 08:00:00', '+0200', null],
  ])('counts from the boot at %s %s', (boot_time, offset, bootedAt) => {
    const operatingsystem = { boot_time, timezone: { name: 'local', offset } };
    expect(readTaken(inventoryText({ operatingsystem })).bootedAt).toBe(bootedAt);
  });

  test.each([
    ['(78894038) 9 days, 3:09:00.38', 788_940],
    ['7 days, 01:26:41.98', 610_001],
    ['1 day, 0:00:00.00', 86_400],
    ['00:01:02.99', 62],
    ['(6200)', 62],
    ['0:00:00', 0],
    ['a week', null],
    ['', null],
  ])('of a device that was asked over the network: %j is %j seconds', (uptime, seconds) => {
    expect(fieldsOf({ network_device: { type: 'Networking', uptime } }).uptimeSeconds).toBe(seconds);
  });
});
