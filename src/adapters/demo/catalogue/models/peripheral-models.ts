/** What prints, rings, measures and watches. */
import { type ApplianceModel, type ApplianceRole, appliance } from './appliance-model.ts';
import type { NetworkRole } from './network-models.ts';

/** The roles of such devices. */
export type PeripheralRole = Exclude<ApplianceRole, NetworkRole>;

/** By role. */
export const PERIPHERAL_MODELS: Readonly<Record<PeripheralRole, readonly ApplianceModel[]>> = {
  printer: [
    appliance('HP', 'HP LaserJet Enterprise M507', 'PHB#######', ['2507215_000026', '2411142_063']),
    appliance('HP', 'HP Color LaserJet MFP M479fdw', 'VNB#######', ['002.2337A']),
    appliance('Brother', 'Brother HL-L6400DW series', 'E#####@#@######', ['1.79', '1.66']),
    appliance('KYOCERA', 'ECOSYS P3155dn', 'R#########', ['2XD_S000.002.301']),
    appliance('RICOH', 'RICOH IM C3000', '####@######', ['1.31.1', '1.24']),
    appliance('Xerox', 'Xerox VersaLink C405', '#@@######', ['68.87.31']),
    appliance('Zebra Technologies', 'ZTC ZT411-203dpi ZPL', '99J#########', ['V92.21.39Z', 'V92.21.16Z']),
  ],
  phone: [
    appliance(
      'Apple Inc.',
      'iPhone 14',
      '**********',
      ['iOS 18.7.1, 22H31', 'iOS 17.7.2, 21H221'],
      6,
      6144,
      119,
    ),
    appliance('Apple Inc.', 'iPhone SE (3rd generation)', '**********', ['iOS 18.6.2, 22G100'], 6, 4096, 59),
    appliance(
      'Samsung',
      'Galaxy XCover6 Pro',
      'R5C*******@',
      ['Android 15, UP1A.231005.007', 'Android 13, TP1A.220624.014'],
      8,
      6144,
      119,
    ),
    appliance('Google', 'Pixel 8', '#@#@@#@@###', ['Android 16, BP3A.250905.014'], 9, 8192, 119),
    appliance(
      'Zebra Technologies',
      'TC52',
      '2############',
      ['Android 11, 11-39-27.00', 'Android 10, 10-16-10.00'],
      8,
      4096,
      29,
    ),
    appliance('Yealink', 'SIP-T46U', '80####@#######', ['108.86.0.118']),
    appliance('Cisco', 'CP-8841', 'FCH#####@@@', ['sip88xx.14-2-1-0101-37']),
  ],
  iot: [
    appliance('Shelly', 'Pro 3EM', '2CBCBB######', ['1.7.1', '1.0.8']),
    appliance('AXIS', 'A1001 Network Door Controller', 'ACCC8E######', ['1.65.9']),
    appliance('Samsung', 'QM43C Signage', '0###H*N*#####', ['T-KSU2ELAKUC-2301.2'], 4, 2560, 8),
    appliance('Siemens', 'LOGO! 12/24RCE', 'LOGO-########', ['8.3.1']),
    appliance('Testo', 'Saveris 2-H2', '4#######', ['2.1.12']),
  ],
  camera: [
    appliance('AXIS', 'P3245-LVE Network Camera', 'ACCC8E######', ['11.11.141', '10.12.208']),
    appliance('Hikvision', 'DS-2CD2143G2-I', 'DS-2CD2143G2-I20##########', [
      'V5.7.18, build 240826',
      'V5.5.800, build 210628',
    ]),
    appliance('Bosch', 'FLEXIDOME IP starlight 8000i', '0###############', ['8.47.0048']),
    appliance('Dahua', 'IPC-HDBW2831E-S', '6#0*@@@PA@@@###', ['2.800.0000000.31.R']),
  ],
};
