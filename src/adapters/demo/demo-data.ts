/** Types of the data files. Shares are between 0 and 1. A weight is relative to the other weights of its list. */
import type { Architecture, DeviceRole, OsType } from '#domain/device/device.ts';
import type { AlertRecord } from '#domain/fleet/fleet-record.ts';
import appliances from './data/appliances.json' with { type: 'json' };
import computers from './data/computers.json' with { type: 'json' };
import content from './data/content.json' with { type: 'json' };
import names from './data/names.json' with { type: 'json' };
import software from './data/software.json' with { type: 'json' };
import systems from './data/systems.json' with { type: 'json' };
import tenants from './data/tenants.json' with { type: 'json' };
import type { Weighted } from './seeded-random.ts';

type Lists<K extends string, T> = Readonly<Record<K, readonly T[]>>;

export type PartnerKey = 'kestrel-lane' | 'blaubach';

/** The larger partner first. */
export const PARTNERS = tenants.partners as readonly { readonly key: PartnerKey; readonly name: string }[];

export type Trade =
  | 'logistics'
  | 'manufacturing'
  | 'education'
  | 'healthcare'
  | 'construction'
  | 'dentistry'
  | 'hospitality'
  | 'law'
  | 'utility'
  | 'architecture'
  | 'retail'
  | 'brewing';

export const ROLE_MIXES: Readonly<Record<Trade, Readonly<Record<DeviceRole, number>>>> = tenants.roleMixes;

/** Shares of workstations that are tills, panels or guest terminals. */
export const KIOSK_SHARES: Partial<Readonly<Record<Trade, number>>> = tenants.kioskShares;

export interface SiteProfile {
  readonly key: string;
  readonly name: string;
  readonly code: string;
  readonly weight: number;
  /** In a documentation range (RFC 5737). */
  readonly publicIp: string;
  /** The first two octets of the private network (RFC 1918). */
  readonly subnet: string;
}

export interface OrganizationProfile {
  readonly key: string;
  readonly partner: PartnerKey;
  readonly name: string;
  readonly trade: Trade;
  readonly devices: number;
  readonly mailDomain: string;
  readonly windowsDomain: string;
  readonly windowsEdition: 'Pro' | 'Enterprise' | 'Education';
  /** Shares of workstations with macOS and Linux. The rest run Windows. */
  readonly macShare: number;
  readonly linuxShare: number;
  readonly sites: readonly SiteProfile[];
}

type SiteRow = readonly [key: string, name: string, code: string, weight: number, ip: string, subnet: string];

/** Largest first. Size is about inverse to rank, as at real service providers. */
export const ORGANIZATIONS = (
  tenants.organizations as unknown as readonly (Omit<OrganizationProfile, 'sites'> & {
    readonly sites: readonly SiteRow[];
  })[]
).map(
  ({ sites, ...organization }): OrganizationProfile => ({
    ...organization,
    sites: sites.map(([key, name, code, weight, publicIp, subnet]) => {
      return { key, name, code, weight, publicIp, subnet };
    }),
  }),
);

export type OsFamily =
  | 'windows-11'
  | 'windows-10'
  | 'windows-10-32-bit'
  | 'windows-kiosk'
  | 'windows-server'
  | 'windows-server-old'
  | 'macos-current'
  | 'macos-old'
  | 'linux-desktop'
  | 'linux-server'
  | 'linux-server-arm'
  | 'linux-raspberry';

export type PatchTrack =
  | 'windows-11'
  | 'windows-10'
  | 'windows-server'
  | 'macos'
  | 'ubuntu'
  | 'debian'
  | 'redhat';

/** The versions are real. `{edition}` stands for the organization's edition of Windows. */
export const OS_RELEASES = systems.releases as unknown as Lists<
  OsFamily,
  readonly [osType: OsType, version: string, track: PatchTrack, weight: number, builds: readonly string[]]
>;

/**
 * Newest first. `{architecture}` stands for the processor's. A patch with a `release` applies only to systems whose
 * version contains that text.
 */
export const PATCHES = systems.patches as unknown as Lists<
  PatchTrack,
  readonly [title: string, release?: string]
>;

/** Newest first. */
export const AGENT_VERSIONS = systems.agentVersions as unknown as Weighted<string>;

export interface ComputerModel {
  readonly manufacturer: string;
  readonly model: string;
  /** A pattern for `SeededRandom.fill`; null if the firmware reports no serial number. */
  readonly serialPattern: string | null;
  readonly architecture: Architecture;
  readonly isPortable: boolean;
  readonly weight: number;
  readonly cpus: readonly (readonly [model: string, cores: number])[];
  readonly gpus: readonly (string | null)[];
  readonly ramGb: readonly number[];
  /** In gibibytes: a drive sold as 512 GB has 476. */
  readonly diskGb: readonly number[];
  readonly runs: Weighted<OsFamily>;
}

export const COMPUTERS = computers as unknown as Lists<
  'windows' | 'kiosk' | 'apple' | 'linux' | 'server',
  ComputerModel
>;

/** Monitored over the network, because they run no agent. */
type ApplianceRole = Exclude<DeviceRole, 'workstation' | 'server' | 'unknown'>;

/** `serialPattern` is for `SeededRandom.fill`. Firmware is `version` or `version, build`, newest first. */
export type ApplianceModel = readonly [
  manufacturer: string,
  model: string,
  serialPattern: string,
  hardware: readonly [cpuCores: number | null, ramMb: number | null, diskGb: number | null],
  firmware: readonly string[],
];

export const APPLIANCES = appliances.models as unknown as Lists<ApplianceRole, ApplianceModel>;

export const MAC_PREFIXES: Readonly<Record<string, readonly string[]>> = appliances.macPrefixes;

/** Versions are newest first. A Linux version that names a distribution occurs on that distribution only. */
export type SoftwareTitle = readonly [name: string, share: number, ...versions: readonly string[]];

export type SoftwarePlatform = keyof typeof software.platforms;

export const SOFTWARE_PLATFORMS = systems.softwarePlatforms as Readonly<Record<OsFamily, SoftwarePlatform>>;

export const SOFTWARE = software as unknown as {
  readonly platforms: Lists<SoftwarePlatform, SoftwareTitle>;
  readonly trades: Lists<Trade, SoftwareTitle>;
  readonly vendors: Readonly<Record<string, readonly SoftwareTitle[]>>;
};

export type TagShare = readonly [tag: string, share: number];

export const NAMES = names as unknown as {
  readonly givenNames: readonly string[];
  readonly familyNames: readonly string[];
  readonly uses: Lists<DeviceRole, string>;
  readonly kioskUses: readonly string[];
  readonly namedShares: Readonly<Record<DeviceRole, number>>;
  /**
   * The first workstations have names that break careless software: wildcards of LIKE, backslashes and quotes, letters
   * that fold beyond ASCII, characters beyond the basic plane, one name in two cases or organizations.
   */
  readonly oddHostnames: Readonly<Record<string, readonly (readonly [site: string, hostname: string])[]>>;
  /** Maps the key of a device to the host name of another device, so one machine appears as two. */
  readonly firstReports: Readonly<Record<string, string>>;
  readonly trees: readonly string[];
  readonly beers: readonly string[];
  readonly roleCodes: Readonly<Record<DeviceRole, string>>;
  readonly tags: {
    readonly kiosk: readonly TagShare[];
    readonly portable: readonly TagShare[];
    readonly roles: Lists<DeviceRole, TagShare>;
    readonly trades: Lists<Trade, TagShare>;
  };
};

export type CustomValueSource =
  | { readonly type: 'text'; readonly patterns: readonly string[] }
  | { readonly type: 'number'; readonly from: number; readonly to: number; readonly step: number }
  | { readonly type: 'boolean'; readonly trueShare: number }
  | { readonly type: 'dropdown'; readonly choices: readonly string[] }
  /** Days from today; negative in the past. */
  | { readonly type: 'date'; readonly fromDays: number; readonly toDays: number };

export interface CustomFieldProfile {
  readonly owner: { readonly partner: PartnerKey } | { readonly organization: string };
  readonly key: string;
  readonly name: string;
  readonly share: number;
  readonly source: CustomValueSource;
}

type Script = readonly [name: string, description: string | null];

export const CONTENT = content as unknown as {
  /**
   * `floor` is a number in one organization and a text in another. Quillon's `support_tier` hides its partner's field.
   */
  readonly customFields: readonly CustomFieldProfile[];
  readonly scripts: {
    readonly partner: Lists<PartnerKey, Script>;
    readonly organization: Readonly<Record<string, readonly Script[]>>;
  };
  readonly pastAlerts: readonly Pick<AlertRecord, 'title' | 'message' | 'severity'>[];
  /** `{day:N}` stands for the day N days from now, and `{site:KEY}` for a site's id. */
  readonly filters: readonly {
    readonly organization: string;
    readonly createdBy: string;
    readonly name: string;
    readonly description: string | null;
    readonly conditions: object;
  }[];
};
