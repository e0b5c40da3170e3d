/**
 * The plan of the benchmark's fleet: 200 organizations of Zipf-like size under 20 partners, the scopes in which
 * previews are measured, and the API keys used over HTTP. Everything is the same in every run.
 */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { fleetId } from './fleet-id.ts';

export const FLEET_SIZES = ['10k', '100k', '1m'] as const;
export type FleetSize = (typeof FLEET_SIZES)[number];

export interface FleetPlan {
  readonly size: FleetSize;
  readonly devices: number;
  /** Software titles on each device. */
  readonly titlesPerDevice: number;
}

/** A million devices with forty titles each would take more disk than a benchmark should. */
export const FLEET_PLANS: Readonly<Record<FleetSize, FleetPlan>> = {
  '10k': { size: '10k', devices: 10_000, titlesPerDevice: 40 },
  '100k': { size: '100k', devices: 100_000, titlesPerDevice: 40 },
  '1m': { size: '1m', devices: 1_000_000, titlesPerDevice: 10 },
};

/** The fleet's present, at which relative dates are evaluated. */
export const FLEET_NOW: EpochMs = Date.UTC(2026, 9, 1, 12);

export const ORGANIZATION_COUNT = 200;
export const PARTNER_COUNT = 20;

/** The same for every size. */
export const SCRIPT_COUNT = 5_000;

/** With this exponent the largest organization has 13 % of the devices, and number 151 about 0.15 %. */
const ZIPF_EXPONENT = 0.9;

/** The cumulative share of devices up to and including each organization, largest first. */
export const CUMULATIVE_SHARES: readonly number[] = cumulate(
  Array.from({ length: ORGANIZATION_COUNT }, (_, rank) => (rank + 1) ** -ZIPF_EXPONENT),
);

/** Organization number `rank`, 0 being the largest. */
export function orgIdAt(rank: number): OrgId {
  return fleetId('organization', rank);
}

/** Organizations are assigned to partners in turn. */
export function partnerIdOf(rank: number): PartnerId {
  return fleetId('partner', rank % PARTNER_COUNT);
}

export const SCOPE_NAMES = ['all', 'fifty', 'big', 'small'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

const FIFTY = Array.from({ length: 50 }, (_, i) => orgIdAt(i * 4 + 1));

/** Every organization, every fourth, the largest, and number 151. */
export const SCOPES: Readonly<Record<ScopeName, AccessScope>> = {
  all: { kind: 'system' },
  fifty: { kind: 'partner', partnerId: partnerIdOf(1), orgIds: FIFTY, isWhole: false },
  big: { kind: 'organization', orgId: orgIdAt(0) },
  small: { kind: 'organization', orgId: orgIdAt(150) },
};

/** The organizations of each scope, for asking them one by one. */
export const SCOPE_ORGS: Readonly<Record<ScopeName, readonly OrgId[]>> = {
  all: Array.from({ length: ORGANIZATION_COUNT }, (_, rank) => orgIdAt(rank)),
  fifty: FIFTY,
  big: [orgIdAt(0)],
  small: [orgIdAt(150)],
};

/** Keys of a system user and of a user in the small organization. They are no secret: the fleet is made up. */
export const API_KEYS = {
  all: `fsk_${'a'.repeat(43)}`,
  small: `fsk_${'s'.repeat(43)}`,
} as const;

function cumulate(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  return weights.map((weight) => {
    reached += weight / total;
    return reached;
  });
}
