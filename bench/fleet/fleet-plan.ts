/**
 * 200 organizations of Zipf-like size under 20 partners, the scopes of previews, and the API keys for HTTP. Every run
 * has the same.
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
  readonly titlesPerDevice: number;
}

/** A million devices have fewer titles, to limit disk space. */
export const FLEET_PLANS: Readonly<Record<FleetSize, FleetPlan>> = {
  '10k': { size: '10k', devices: 10_000, titlesPerDevice: 40 },
  '100k': { size: '100k', devices: 100_000, titlesPerDevice: 40 },
  '1m': { size: '1m', devices: 1_000_000, titlesPerDevice: 10 },
};

/** Relative dates are evaluated at this instant. */
export const FLEET_NOW: EpochMs = Date.UTC(2026, 9, 1, 12);

export const ORGANIZATION_COUNT = 200;
export const PARTNER_COUNT = 20;

/** For every size. */
export const SCRIPT_COUNT = 5_000;

/** The largest organization then has 13 % of the devices, and number 151 about 0.15 %. */
const ZIPF_EXPONENT = 0.9;

/** The devices up to and including each organization, largest first. */
export const CUMULATIVE_SHARES: readonly number[] = cumulate(
  Array.from({ length: ORGANIZATION_COUNT }, (_, rank) => (rank + 1) ** -ZIPF_EXPONENT),
);

/** 0 is the largest. */
export function orgIdAt(rank: number): OrgId {
  return fleetId('organization', rank);
}

/** In turn. */
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

/** For asking them one by one. */
export const SCOPE_ORGS: Readonly<Record<ScopeName, readonly OrgId[]>> = {
  all: Array.from({ length: ORGANIZATION_COUNT }, (_, rank) => orgIdAt(rank)),
  fifty: FIFTY,
  big: [orgIdAt(0)],
  small: [orgIdAt(150)],
};

/** A system user and a user of the small organization. The fleet is made up, so these are no secrets. */
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
