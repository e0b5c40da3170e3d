/**
 * How much requests may use at once (Contract: §1, `rate_limited`). A turn lets one request run; each kind of
 * work has separate turns. Bytes in memory have a budget too. No tenant gets more than half of the turns.
 */

import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { clientOf, siteOf } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import { type Claimant, type ClaimOutcome, FairShare, type ShareLimits } from './fair-share.ts';

export type WorkKind =
  | 'evaluation'
  | 'search'
  /** An export holds its turn as long as the client reads. */
  | 'export'
  | 'inventory'
  /** Every other request of an identified caller. */
  | 'work'
  | 'identification'
  | 'sign-in';

/** Budgets are counted in turns, except `bytes`. */
export type RequestBudgets = Readonly<Record<WorkKind | 'bytes', ShareLimits>>;

/** How much of each budget the requests in this process hold. */
export type RequestShares = Readonly<Record<WorkKind | 'bytes', FairShare>>;

const MIB = 1_048_576;

export interface DatabaseResources {
  readonly connections: Readonly<Record<'evaluation' | 'search' | 'work' | 'export' | 'inventory', number>>;
  readonly cores: number;
}

/** The budgets for a database with these connections and cores. */
export function budgetsFor({ connections, cores }: DatabaseResources): RequestBudgets {
  return {
    evaluation: {
      // A turn includes parsing, which needs no connection. So eight connections serve twelve turns, at most six for
      // one tenant.
      ...partOf(1.5 * connections.evaluation, 1 / 2),
      maxWaitingPerCaller: 128,
      maxWaitingPerTenant: 256,
      maxWaitMs: 10_000,
      // A slow evaluation occupies a core. One core stays free for other tenants.
      slow: { afterMs: 100, allowanceMs: 2_000, perTenant: Math.max(1, cores - 1) },
    },
    search: {
      ...partOf(connections.search, 1 / 2),
      maxWaitingPerCaller: 128,
      maxWaitingPerTenant: 256,
      maxWaitMs: 5_000,
    },
    work: {
      ...partOf(connections.work, 1 / 2),
      maxWaitingPerCaller: 128,
      maxWaitingPerTenant: 256,
      maxWaitMs: 5_000,
    },
    // A turn keeps a connection and a snapshot until the answer is read. One tenant's slow readers must leave
    // turns for others.
    export: {
      ...partOf(connections.export, 3 / 8),
      maxWaitingPerCaller: 8,
      maxWaitingPerTenant: 16,
      maxWaitMs: 10_000,
    },
    // A waiting request keeps its document in memory, so fewer may wait.
    inventory: {
      ...partOf(connections.inventory, 1 / 2),
      perCaller: atLeastOne(connections.inventory / 2),
      maxWaitingPerCaller: 64,
      maxWaitingPerTenant: 128,
      maxWaitMs: 10_000,
    },
    // Many people may share a network and a look-up is quick, so many look-ups may wait.
    identification: {
      total: 64,
      perTenant: 16,
      perCaller: 16,
      maxWaitingPerCaller: 1_000,
      maxWaitingPerTenant: 1_000,
      maxWaitMs: 5_000,
    },
    'sign-in': {
      total: 64,
      perTenant: 16,
      perCaller: 16,
      maxWaitingPerCaller: 64,
      maxWaitingPerTenant: 64,
      maxWaitMs: 10_000,
    },
    bytes: {
      total: 192 * MIB,
      perTenant: 32 * MIB,
      perCaller: 16 * MIB,
      maxWaitingPerCaller: 64,
      maxWaitingPerTenant: 256,
      maxWaitMs: 5_000,
    },
  };
}

function partOf(turns: number, part: number): Pick<ShareLimits, 'total' | 'perTenant' | 'perCaller'> {
  const perTenant = atLeastOne(turns * part);
  return { total: atLeastOne(turns), perTenant, perCaller: atLeastOne(perTenant - 1) };
}

function atLeastOne(turns: number): number {
  return Math.max(1, Math.floor(turns));
}

/** The defaults of the PostgreSQL backend. */
export const USUAL_CONNECTIONS: DatabaseResources['connections'] = {
  evaluation: 8,
  search: 8,
  work: 8,
  export: 8,
  inventory: 4,
};

/** For the usual connections and two cores. */
export const DEFAULT_BUDGETS: RequestBudgets = budgetsFor({ connections: USUAL_CONNECTIONS, cores: 2 });

export function makeRequestShares(budgets: RequestBudgets): RequestShares {
  return {
    evaluation: new FairShare(budgets.evaluation),
    search: new FairShare(budgets.search),
    export: new FairShare(budgets.export),
    inventory: new FairShare(budgets.inventory),
    work: new FairShare(budgets.work),
    identification: new FairShare(budgets.identification),
    'sign-in': new FairShare(budgets['sign-in']),
    bytes: new FairShare(budgets.bytes),
  };
}

/** Why a claim was not granted. */
export type ClaimRefusal = Exclude<ClaimOutcome['kind'], 'granted'>;

/** A person's sessions and keys all use the same share. */
export function claimantOf({ scope, userId }: Caller): Claimant {
  return { tenant: tenantOf(scope, userId), caller: userId };
}

/**
 * The tenant is the client's site, because one internet subscriber has many addresses. The caller is the
 * client within that site.
 */
export function claimantAt(address: string | null): Claimant {
  if (address === null) return { tenant: 'site unknown', caller: 'client unknown' };
  return { tenant: `site ${siteOf(address)}`, caller: `client ${clientOf(address)}` };
}

/** An organization's machines have a separate share, so a flood of reports takes nothing from its people. */
export function claimantWith({ id, orgId }: EnrolmentKey): Claimant {
  return { tenant: `machines of ${orgId}`, caller: `enrolment key ${id}` };
}

function tenantOf(scope: AccessScope, userId: UserId): string {
  switch (scope.kind) {
    case 'organization':
      return `organization ${scope.orgId}`;
    case 'partner':
      return `partner ${scope.partnerId}`;
    case 'system':
      return 'platform';
    case 'none':
      return `user ${userId}`;
  }
}
