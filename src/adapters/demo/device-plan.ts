import { DEVICE_ROLES, type DeviceRole } from '#domain/device/device.ts';
import { NAMES, type OrganizationProfile, ROLE_MIXES, type SiteProfile } from './demo-data.ts';
import { seededRandom } from './seeded-random.ts';

export interface PlannedDevice {
  /** Stable: the id and all random values are derived from it. */
  readonly key: string;
  readonly organization: OrganizationProfile;
  readonly site: SiteProfile;
  readonly role: DeviceRole;
  /** Counts from 1 within the organization. */
  readonly ordinal: number;
  /** Counts from 1 within organization, site and role. */
  readonly number: number;
  /** Counts from 1 within the site. */
  readonly host: number;
  readonly oddHostname: string | null;
}

/** Plans the organization's devices, workstations first. */
export function* plannedDevices(organization: OrganizationProfile): Generator<PlannedDevice> {
  const random = seededRandom(`plan ${organization.key}`);
  const bySite = organization.sites.map((site) => [site, site.weight] as const);
  const taken = new Map<string, number>();
  const next = (counter: string): number => {
    const count = (taken.get(counter) ?? 0) + 1;
    taken.set(counter, count);
    return count;
  };

  for (const [role, count] of roleCounts(organization)) {
    for (let index = 0; index < count; index += 1) {
      const odd = role === 'workstation' ? NAMES.oddHostnames[organization.key]?.[index] : undefined;
      const oddSite = organization.sites.find((site) => site.key === odd?.[0]);
      // Sites take turns, so that small ones have infrastructure, too.
      const inTurn = INFRASTRUCTURE.has(role)
        ? organization.sites[index % organization.sites.length]
        : undefined;
      const site = oddSite ?? inTurn ?? random.pickWeighted(bySite);
      const ordinal = next('organization');
      const key = `${organization.key}/${ordinal}`;
      yield {
        key,
        organization,
        site,
        role,
        ordinal,
        number: next(`${site.key}/${role}`),
        host: next(site.key),
        oddHostname: odd?.[1] ?? NAMES.firstReports[key] ?? null,
      };
    }
  }
}

const INFRASTRUCTURE: ReadonlySet<DeviceRole> = new Set([
  'firewall',
  'router',
  'switch',
  'access_point',
  'nas',
]);

/** Every role but workstation has at least one device. The other devices are workstations. */
function roleCounts({ trade, devices }: OrganizationProfile): readonly (readonly [DeviceRole, number])[] {
  const mix = ROLE_MIXES[trade];
  const total = DEVICE_ROLES.reduce((sum, role) => sum + mix[role], 0);
  const others = DEVICE_ROLES.filter((role) => role !== 'workstation').map(
    (role) => [role, Math.max(1, Math.round((devices * mix[role]) / total))] as const,
  );
  const rest = devices - others.reduce((sum, [, count]) => sum + count, 0);
  return [['workstation', rest], ...others];
}
