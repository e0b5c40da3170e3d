/** What carries the network and keeps its files. */
import { type ApplianceModel, type ApplianceRole, appliance } from './appliance-model.ts';

/** The roles of such devices. */
export type NetworkRole = Extract<ApplianceRole, 'router' | 'switch' | 'firewall' | 'access_point' | 'nas'>;

/** By role. */
export const NETWORK_MODELS: Readonly<Record<NetworkRole, readonly ApplianceModel[]>> = {
  router: [
    appliance('Cisco', 'ISR4331/K9', 'FDO#####@@@', ['IOS XE 17.9.5', 'IOS XE 16.12.4'], 4, 4096, 4),
    appliance(
      'MikroTik',
      'CCR2004-1G-12S+2XS',
      'HC#*******',
      ['RouterOS 7.18.2', 'RouterOS 6.49.18'],
      4,
      4096,
    ),
    appliance('Ubiquiti', 'EdgeRouter 4', '**********', ['EdgeOS v2.0.9-hotfix.7, 5622762'], 4, 1024),
  ],
  switch: [
    appliance('Cisco', 'C9200L-24P-4G', 'JAE########', ['IOS XE 17.12.4', 'IOS XE 17.6.5'], 4, 2048),
    appliance('HPE Aruba', '2930F-48G-PoE+-4SFP', 'CN########', ['WC.16.11.0024', 'WC.16.08.0001']),
    appliance('Ubiquiti', 'USW-Pro-48-PoE', '**********', ['7.1.26, 15869', '6.6.61, 15189']),
    appliance(
      'Juniper Networks',
      'EX2300-24P',
      'JW########',
      ['Junos 21.4R3-S9', 'Junos 20.4R3-S2'],
      2,
      2048,
    ),
    appliance('NETGEAR', 'GS748Tv5', '4@#########', ['6.3.1.19']),
  ],
  firewall: [
    appliance(
      'Fortinet',
      'FortiGate-60F',
      'FGT60FTK########',
      ['FortiOS 7.4.8, build2795', 'FortiOS 7.2.10, build1706'],
      8,
      2048,
    ),
    appliance(
      'Fortinet',
      'FortiGate-100F',
      'FG100FTK########',
      ['FortiOS 7.4.8, build2795', 'FortiOS 7.0.15, build0632'],
      8,
      4096,
      447,
    ),
    appliance('SonicWall', 'TZ 370', '2CB8ED######', ['SonicOS 7.1.3-7015', 'SonicOS 7.0.1-5161'], 4, 4096),
    appliance(
      'Palo Alto Networks',
      'PA-440',
      '0210########',
      ['PAN-OS 11.1.6-h3', 'PAN-OS 10.2.9-h1'],
      4,
      8192,
      119,
    ),
    appliance('Sophos', 'XGS 116', 'X1160########', ['SFOS 21.0.1, Build277'], 4, 4096, 59),
    appliance('WatchGuard', 'Firebox T45', 'D0########', ['Fireware 12.11.3, B719894'], 4, 4096),
  ],
  access_point: [
    appliance('Ubiquiti', 'U6-Pro', '**********', ['6.7.31, 15618', '6.6.77, 15402']),
    appliance('HPE Aruba', 'AP-515', 'CN########', ['ArubaOS 8.12.0.5', 'ArubaOS 8.6.0.4']),
    appliance('Cisco Meraki', 'MR46', 'Q3AJ-****-****', ['MR 31.1.7.1', 'MR 30.7']),
    appliance('Ruckus Wireless', 'R550', '#############', ['6.1.2.0.779']),
  ],
  nas: [
    appliance(
      'Synology',
      'DS923+',
      '2###SQR######',
      ['DSM 7.2.2-72806 Update 4, 72806', 'DSM 7.1.1-42962 Update 6, 42962'],
      2,
      4096,
      14901,
    ),
    appliance('Synology', 'RS1221+', '2###R1R######', ['DSM 7.2.2-72806 Update 4, 72806'], 4, 8192, 29802),
    appliance(
      'QNAP',
      'TS-453D',
      'Q####@#####',
      ['QTS 5.2.6.3195, 20250715', 'QTS 4.5.4.2627, 20231225'],
      4,
      8192,
      7451,
    ),
    appliance('iXsystems', 'TrueNAS Mini X+', 'A1-######', ['TrueNAS SCALE 24.10.2'], 8, 32768, 22352),
  ],
};
