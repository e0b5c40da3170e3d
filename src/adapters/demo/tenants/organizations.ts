/** The demo's organizations, all invented, with their sites. */
import type { PartnerKey } from './partners.ts';
import type { Trade } from './trades.ts';

/** A place of an organization. */
export interface SiteProfile {
  readonly key: string;
  readonly name: string;
  /** How host names abbreviate it. */
  readonly code: string;
  /** Its part of the organization's devices, relative to the other sites. */
  readonly weight: number;
  /** Of a documentation range (RFC 5737). */
  readonly publicIp: string;
  /** The first two octets of its private network (RFC 1918). */
  readonly subnet: string;
}

/** A customer of a partner, and what its devices are drawn by. */
export interface OrganizationProfile {
  readonly key: string;
  readonly partner: PartnerKey;
  readonly name: string;
  readonly trade: Trade;
  /** How many devices it has. */
  readonly devices: number;
  readonly mailDomain: string;
  /** The NetBIOS name in `DOMAIN\user`. */
  readonly windowsDomain: string;
  readonly windowsEdition: 'Pro' | 'Enterprise' | 'Education';
  /** The parts (0-1) of its workstations that run macOS and Linux; the rest run Windows. */
  readonly macShare: number;
  readonly linuxShare: number;
  readonly sites: readonly SiteProfile[];
}

/** Largest first; sizes fall off about as one over the rank, as the customers of a service provider do. */
export const ORGANIZATIONS: readonly OrganizationProfile[] = [
  {
    key: 'varhaug',
    partner: 'kestrel-lane',
    name: 'Varhaug Freight Lines',
    trade: 'logistics',
    devices: 624,
    mailDomain: 'varhaug-freight.example',
    windowsDomain: 'VARHAUG',
    windowsEdition: 'Enterprise',
    macShare: 0.04,
    linuxShare: 0.05,
    sites: [
      site('rotterdam', 'Rotterdam Maasvlakte', 'RTM', 38, '192.0.2.10', '10.10'),
      site('hamburg', 'Hamburg Waltershof', 'HAM', 24, '192.0.2.20', '10.11'),
      site('lodz', 'Łódź Widzew', 'LDZ', 16, '192.0.2.30', '10.12'),
      site('istanbul', 'İstanbul Tuzla', 'IST', 12, '192.0.2.40', '10.13'),
      site('antwerp', 'Antwerpen Kallo', 'ANR', 10, '192.0.2.50', '10.14'),
    ],
  },
  {
    key: 'pellworth',
    partner: 'kestrel-lane',
    name: 'Pellworth Precision Castings',
    trade: 'manufacturing',
    devices: 338,
    mailDomain: 'pellworth-castings.example',
    windowsDomain: 'PELLWORTH',
    windowsEdition: 'Pro',
    macShare: 0.02,
    linuxShare: 0.09,
    sites: [
      site('foundry', 'Foundry', 'FDY', 5, '192.0.2.70', '172.20'),
      site('machining', 'Machining hall', 'MCH', 3, '192.0.2.71', '172.21'),
      site('head-office', 'Head office', 'HO', 4, '192.0.2.72', '172.22'),
    ],
  },
  {
    key: 'greywater',
    partner: 'kestrel-lane',
    name: 'Greywater Schools Trust',
    trade: 'education',
    devices: 236,
    mailDomain: 'greywater-schools.example',
    windowsDomain: 'GST',
    windowsEdition: 'Education',
    macShare: 0.14,
    linuxShare: 0.03,
    sites: [
      site('hill-road', 'Hill Road Primary', 'Hill', 3, '198.51.100.11', '10.40'),
      site('riverside', 'Riverside Academy', 'River', 6, '198.51.100.12', '10.41'),
      site('sixth-form', 'Greywater Sixth Form', 'Sixth', 4, '198.51.100.13', '10.42'),
      site('trust-office', 'Trust office', 'Trust', 1, '198.51.100.14', '10.43'),
    ],
  },
  {
    key: 'seerain',
    partner: 'blaubach',
    name: 'Klinik am Seerain',
    trade: 'healthcare',
    devices: 172,
    mailDomain: 'klinik-seerain.example',
    windowsDomain: 'SEERAIN',
    windowsEdition: 'Enterprise',
    macShare: 0.03,
    linuxShare: 0.03,
    sites: [
      site('zurich', 'Zürich Seerain', 'ZRH', 7, '203.0.113.10', '10.80'),
      site('winterthur', 'Tagesklinik Winterthur', 'WIN', 3, '203.0.113.20', '10.81'),
    ],
  },
  {
    key: 'marrowby',
    partner: 'kestrel-lane',
    name: 'Marrowby & Daughters Builders',
    trade: 'construction',
    devices: 138,
    mailDomain: 'marrowby-builders.example',
    windowsDomain: 'MARROWBY',
    windowsEdition: 'Pro',
    macShare: 0.06,
    linuxShare: 0.01,
    sites: [
      site('yard', "Builders' yard", 'YD', 2, '198.51.100.40', '192.168'),
      site('office', 'Head office', 'HQ', 3, '198.51.100.41', '10.50'),
    ],
  },
  {
    key: 'tidewell',
    partner: 'kestrel-lane',
    name: 'Tidewell Dental Group',
    trade: 'dentistry',
    devices: 112,
    mailDomain: 'tidewell-dental.example',
    windowsDomain: 'TIDEWELL',
    windowsEdition: 'Pro',
    macShare: 0.03,
    linuxShare: 0.01,
    sites: [
      site('harbour-street', 'Harbour Street', 'hrb', 4, '198.51.100.60', '10.60'),
      site('orchard-park', 'Orchard Park', 'orp', 3, '198.51.100.61', '10.61'),
      site('castle-gate', 'Castle Gate', 'cst', 2, '198.51.100.62', '10.62'),
      site('station-road', 'Station Road', 'stn', 2, '198.51.100.63', '10.63'),
    ],
  },
  {
    key: 'saltmarsh',
    partner: 'kestrel-lane',
    name: 'Saltmarsh Hotel Collection',
    trade: 'hospitality',
    devices: 96,
    mailDomain: 'saltmarsh-hotels.example',
    windowsDomain: 'SALTMARSH',
    windowsEdition: 'Pro',
    macShare: 0.05,
    linuxShare: 0.02,
    sites: [
      site('saltmarsh', 'The Saltmarsh', 'salt', 3, '198.51.100.80', '10.70'),
      site('lantern', 'The Lantern House', 'lant', 2, '198.51.100.81', '10.71'),
      site('pier', 'The Pier Hotel', 'pier', 2, '198.51.100.82', '10.72'),
    ],
  },
  {
    key: 'quillon',
    partner: 'kestrel-lane',
    name: 'Quillon Averdale Solicitors',
    trade: 'law',
    devices: 82,
    mailDomain: 'quillon-averdale.example',
    windowsDomain: 'QASOL',
    windowsEdition: 'Enterprise',
    macShare: 0.1,
    linuxShare: 0,
    sites: [
      site('chancery', 'Chancery office', 'CH', 3, '198.51.100.100', '172.24'),
      site('northern', 'Northern office', 'NO', 1, '198.51.100.101', '172.25'),
    ],
  },
  {
    key: 'wiesenbrueck',
    partner: 'blaubach',
    name: 'Stadtwerke Wiesenbrück',
    trade: 'utility',
    devices: 68,
    mailDomain: 'stadtwerke-wiesenbrueck.example',
    windowsDomain: 'SWW',
    windowsEdition: 'Enterprise',
    macShare: 0,
    linuxShare: 0.1,
    sites: [
      site('verwaltung', 'Verwaltung', 'VW', 4, '203.0.113.40', '10.90'),
      site('leitwarte', 'Leitwarte', 'LW', 2, '203.0.113.41', '10.91'),
      site('wasserwerk', 'Wasserwerk Süd', 'WS', 2, '203.0.113.42', '10.92'),
    ],
  },
  {
    key: 'lindqvist',
    partner: 'blaubach',
    name: 'Lindqvist Maurer Architektur',
    trade: 'architecture',
    devices: 58,
    mailDomain: 'lindqvist-maurer.example',
    windowsDomain: 'LMA',
    windowsEdition: 'Pro',
    macShare: 0.62,
    linuxShare: 0.03,
    sites: [
      site('zurich', 'Atelier Zürich', 'ZH', 3, '203.0.113.60', '192.168'),
      site('koeln', 'Atelier Köln', 'K', 2, '203.0.113.61', '10.95'),
    ],
  },
  {
    key: 'feldhaus',
    partner: 'blaubach',
    name: 'Feldhaus Feinkost',
    trade: 'retail',
    devices: 47,
    mailDomain: 'feldhaus-feinkost.example',
    windowsDomain: 'FELDHAUS',
    windowsEdition: 'Pro',
    macShare: 0.02,
    linuxShare: 0.04,
    sites: [
      site('zentrale', 'Zentrale', 'ZEN', 2, '203.0.113.80', '10.96'),
      site('markt', 'Filiale Marktplatz', 'MKT', 1, '203.0.113.81', '10.97'),
      site('bahnhof', 'Filiale Bahnhof', 'BHF', 1, '203.0.113.82', '10.98'),
    ],
  },
  {
    key: 'little-fathom',
    partner: 'kestrel-lane',
    name: 'Little Fathom Brewing',
    trade: 'brewing',
    devices: 29,
    mailDomain: 'little-fathom.example',
    windowsDomain: 'FATHOM',
    windowsEdition: 'Pro',
    macShare: 0.2,
    linuxShare: 0.15,
    sites: [site('brewery', 'Brewery and taproom', 'brew', 1, '198.51.100.120', '192.168')],
  },
];

function site(
  key: string,
  name: string,
  code: string,
  weight: number,
  publicIp: string,
  subnet: string,
): SiteProfile {
  return { key, name, code, weight, publicIp, subnet };
}
