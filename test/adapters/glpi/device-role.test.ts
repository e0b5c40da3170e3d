import { describe, expect, test } from 'vitest';
import { fieldsOf, realText } from './inventories.ts';

describe('the role of a computer', () => {
  const windows = (full_name: string) => ({ name: 'Windows', full_name, kernel_name: 'MSWin32' });
  const linux = (name: string, full_name = name) => ({ name, full_name, kernel_name: 'linux' });

  test.each<[string, object, string]>([
    ['a computer without details', {}, 'workstation'],
    ['a laptop', { hardware: { chassis_type: 'Laptop' } }, 'workstation'],
    [
      'a notebook, said to be physical',
      { hardware: { chassis_type: 'Notebook', vmsystem: 'Physical' } },
      'workstation',
    ],
    [
      'a tower with Windows',
      { hardware: { chassis_type: 'Mini Tower' }, operatingsystem: windows('Microsoft Windows 11 Pro') },
      'workstation',
    ],
    [
      'a tower with Windows Server',
      {
        hardware: { chassis_type: 'Tower' },
        operatingsystem: windows('Microsoft Windows Server 2022 Standard'),
      },
      'server',
    ],
    ['Windows Server alone', { operatingsystem: windows('Microsoft(R) Windows(R) Server 2003') }, 'server'],
    ['Windows alone', { operatingsystem: windows('Microsoft Windows 10 Enterprise') }, 'workstation'],
    [
      'a Mac',
      { hardware: { chassis_type: 'Other' }, operatingsystem: { name: 'macOS', kernel_name: 'darwin' } },
      'workstation',
    ],
    [
      'a rack with Debian',
      { hardware: { chassis_type: 'Rack Mount Chassis' }, operatingsystem: linux('Debian') },
      'server',
    ],
    ['a blade', { hardware: { chassis_type: 'Blade' } }, 'server'],
    ['a main server chassis', { hardware: { chassis_type: 'Main Server Chassis' } }, 'server'],
    [
      'a laptop with Debian',
      { hardware: { chassis_type: 'Laptop' }, operatingsystem: linux('Debian') },
      'workstation',
    ],
    [
      'a desktop with CentOS',
      { hardware: { chassis_type: 'Desktop' }, operatingsystem: linux('CentOS') },
      'workstation',
    ],
    [
      'CentOS in an unknown chassis',
      { hardware: { chassis_type: 'Unknown' }, operatingsystem: linux('CentOS') },
      'server',
    ],
    ['Ubuntu without a chassis', { operatingsystem: linux('Ubuntu') }, 'workstation'],
    [
      'Fedora for servers',
      { operatingsystem: { ...linux('Fedora'), version: '40 (Server Edition)' } },
      'server',
    ],
    [
      'Fedora for workstations',
      { hardware: { vmsystem: 'QEMU' }, operatingsystem: linux('Fedora', 'Fedora 40 (Workstation Edition)') },
      'workstation',
    ],
    [
      'a virtual Debian',
      { hardware: { chassis_type: 'Other', vmsystem: 'VMware' }, operatingsystem: linux('Debian') },
      'server',
    ],
    [
      'a virtual Debian in the chassis of Hyper-V',
      { hardware: { chassis_type: 'Desktop', vmsystem: 'Hyper-V' }, operatingsystem: linux('Debian') },
      'server',
    ],
    [
      'a virtual Windows 11',
      {
        hardware: { chassis_type: 'Rack Mount Chassis', vmsystem: 'VMware' },
        operatingsystem: windows('Microsoft Windows 11 Pro'),
      },
      'workstation',
    ],
    [
      'a virtual Windows Server',
      {
        hardware: { chassis_type: 'Desktop', vmsystem: 'Hyper-V' },
        operatingsystem: windows('Microsoft Windows Server 2019'),
      },
      'server',
    ],
    ['a container', { hardware: { vmsystem: 'Docker' } }, 'server'],
    [
      'a hypervisor in a tower',
      { hardware: { chassis_type: 'Tower' }, operatingsystem: { name: 'VMware ESXi' } },
      'server',
    ],
    ['FreeBSD', { operatingsystem: { name: 'FreeBSD', kernel_name: 'freebsd' } }, 'server'],
  ])('is right for %s', (_, content, role) => {
    expect(fieldsOf(content, { itemtype: 'Computer' }).deviceRole).toBe(role);
  });
});

describe('without an itemtype', () => {
  test.each<[string, object, string]>([
    ['a computer', {}, 'workstation'],
    ['a phone by its system', { operatingsystem: { name: 'Android 16' } }, 'phone'],
    ['a phone that was asked over the network', { network_device: { type: 'Phone' } }, 'phone'],
    ['a printer', { network_device: { type: 'Printer' } }, 'printer'],
    ['a switch', { network_device: { type: 'Networking' } }, 'switch'],
    [
      'something else that was asked over the network',
      { network_device: { type: 'Storage' } },
      'workstation',
    ],
  ])('the role is right for %s', (_, content, role) => {
    expect(fieldsOf(content).deviceRole).toBe(role);
  });

  test.each([
    ['phone_1', 'phone'],
    ['printer_1', 'printer'],
    ['networkequipment_1', 'switch'],
    ['computer_2', 'workstation'],
  ])('the role of %s is %s', (name, role) => {
    const { itemtype: _, content, ...header } = JSON.parse(realText(name));
    expect(fieldsOf(content, header).deviceRole).toBe(role);
  });
});

describe('network equipment', () => {
  const roleOf = (device: object, content: object = {}) =>
    fieldsOf(
      { network_device: { type: 'Networking', ...device }, ...content },
      { itemtype: 'NetworkEquipment' },
    ).deviceRole;

  test.each([
    ['switch', 'Cisco', 'WS-C2960-48TC-S'],
    ['switch', 'Cisco', 'C9300-48P'],
    ['switch', 'Cisco', 'C1000-24T-4G-L'],
    ['switch', 'Cisco', 'N5K-C5548UP'],
    ['switch', 'Hewlett-Packard', '2530-48G'],
    ['switch', 'Hewlett-Packard', 'ProCurve J9280A'],
    ['switch', 'Juniper Networks', 'EX4300-48T'],
    ['switch', 'Juniper Networks', 'QFX5100'],
    ['switch', 'Huawei', 'S5720-28P'],
    ['switch', 'Fortinet', 'FortiSwitch-124E'],
    ['switch', 'Ruckus', 'ICX 7150-48'],
    ['switch', 'MikroTik', 'CRS326-24G-2S+'],
    ['switch', 'Cisco Meraki', 'MS225-48LP'],
    ['switch', 'Ubiquiti', 'UniFi Switch 24'],
    ['switch', 'Ubiquiti', 'USW-Pro-48'],
    ['switch', 'Dell', 'PowerConnect 5548'],
    ['switch', 'Netgear', 'GS724T Smart Switch'],
    ['router', 'Cisco', 'CISCO2911/K9'],
    ['router', 'Cisco', '1841'],
    ['router', 'Cisco', 'ISR4331/K9'],
    ['router', 'Cisco', 'ASR1001-X'],
    ['router', 'Cisco', 'C891F-K9'],
    ['router', 'Cisco', 'C1111-8P'],
    ['router', 'Juniper Networks', 'MX480'],
    ['router', 'Huawei', 'AR2220'],
    ['router', 'MikroTik', 'RB4011iGS+'],
    ['router', 'MikroTik', 'RouterOS CCR1009'],
    ['router', 'HPE', 'MSR3024'],
    ['router', 'Ubiquiti', 'EdgeRouter X'],
    ['router', 'Netgear', 'Nighthawk Wireless Router'],
    ['router', 'DrayTek', 'Vigor2927'],
    ['router', 'Teltonika', 'RUT955'],
    ['firewall', 'Fortinet', 'FortiGate-60F'],
    ['firewall', 'Fortinet', 'FGT_100E'],
    ['firewall', 'Palo Alto Networks', 'PA-220'],
    ['firewall', 'Cisco', 'ASA5506-X'],
    ['firewall', 'Cisco', 'FPR-1120'],
    ['firewall', 'Cisco Meraki', 'MX68'],
    ['firewall', 'Juniper Networks', 'SRX300'],
    ['firewall', 'SonicWall', 'TZ370'],
    ['firewall', 'WatchGuard', 'Firebox T40'],
    ['firewall', 'Stormshield', 'SN310'],
    ['firewall', 'Check Point', '3100'],
    ['firewall', 'Sophos', 'XGS 116'],
    ['firewall', 'Netgate', 'SG-3100 pfSense'],
    ['firewall', 'Zyxel', 'USG FLEX 100'],
    ['firewall', 'Ubiquiti', 'UniFi Security Gateway'],
    ['access_point', 'Cisco', 'AIR-CAP2702I-E-K9'],
    ['access_point', 'Cisco', 'AIR-AP1832I-E-K9'],
    ['access_point', 'Cisco', 'C9120AXI-E'],
    ['access_point', 'Cisco Meraki', 'MR44'],
    ['access_point', 'Aruba', 'AP-515'],
    ['access_point', 'Aruba', 'IAP-305'],
    ['access_point', 'Ubiquiti', 'UAP-AC-Pro'],
    ['access_point', 'Ubiquiti', 'U6-Lite'],
    ['access_point', 'Ruckus', 'R510'],
    ['access_point', 'Ruckus', 'ZoneFlex 7363'],
    ['access_point', 'TP-Link', 'EAP245'],
    ['access_point', 'Zyxel', 'NWA1123'],
    ['access_point', 'Fortinet', 'FortiAP-221E'],
    ['access_point', 'MikroTik', 'cAP ac'],
    ['access_point', 'Netgear', 'WAX610 Access Point'],
    ['access_point', 'Huawei', 'AirEngine 5760'],
  ])('is a %s: %s %s', (role, manufacturer, model) => {
    expect(roleOf({ manufacturer, model })).toBe(role);
  });

  test.each<[string, object, object, string]>([
    [
      'its description',
      { description: 'Cisco IOS Software, C2960 Software, a Catalyst L2 Switch' },
      {},
      'switch',
    ],
    [
      'the description of a Cisco router',
      { description: 'Cisco IOS Software, C2900 Software (C2900-UNIVERSALK9-M)' },
      {},
      'router',
    ],
    [
      'the description of a Cisco access point',
      { description: 'Cisco IOS Software, C2700 Software (AP3G2-K9W8-M)' },
      {},
      'access_point',
    ],
    [
      'the description of a Cisco firewall',
      { description: 'Cisco Adaptive Security Appliance Version 9.8(2)' },
      {},
      'firewall',
    ],
    ['the description of a MikroTik', { description: 'RouterOS RB750Gr3' }, {}, 'router'],
    [
      'the description of a router that switches',
      { description: 'Allied Telesis router/switch, AW+ v5.5' },
      {},
      'switch',
    ],
    ['a comment', { comments: 'OPNsense 24.7' }, {}, 'firewall'],
    ['no comments in a list', { comments: ['OPNsense'] }, {}, 'switch'],
    ['its firmware', {}, { firmwares: [{ name: 'FortiOS', version: '7.4' }] }, 'firewall'],
    [
      'its chassis',
      {},
      { network_components: [{ type: 'chassis', description: 'Wireless Access Point' }] },
      'access_point',
    ],
    [
      'no part inside it',
      {},
      { network_components: [{ type: 'module', description: 'Firewall Services Module' }] },
      'switch',
    ],
    ['its maker', { manufacturer: 'Fortinet' }, {}, 'firewall'],
    [
      'its model rather than its maker',
      { manufacturer: 'Fortinet', model: 'FortiSwitch 108E' },
      {},
      'switch',
    ],
    [
      'its model rather than its description',
      { model: 'EdgeRouter 4', description: 'a switch, really' },
      {},
      'router',
    ],
    ['its name (fw)', { name: 'fw-paris.example.com' }, {}, 'firewall'],
    ['its name (rtr)', { name: 'paris-rtr1' }, {}, 'router'],
    ['its name (ap)', { name: 'ap3.floor2' }, {}, 'access_point'],
    ['no part of a word', { name: 'apollo-fwd' }, {}, 'switch'],
    ['no neighbor', {}, { network_ports: [{ connections: [{ sysdescr: 'FortiGate firewall' }] }] }, 'switch'],
    ['nothing, and is a switch', {}, {}, 'switch'],
  ])('gets its role from %s', (_, device, content, role) => {
    expect(roleOf(device, content)).toBe(role);
  });

  test('is a switch if the device is not described', () => {
    expect(fieldsOf({}, { itemtype: 'NetworkEquipment' }).deviceRole).toBe('switch');
  });
});
