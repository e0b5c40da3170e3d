/**
 * What requests may use of the service at once (Contract: §1, `rate_limited`): turns by kind of work, and bytes that
 * are in memory for them. No tenant gets more than half of the turns, so that there is always room for another.
 */

import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { clientOf, siteOf } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import { type Claimant, type ClaimOutcome, FairShare, type ShareLimits } from './fair-share.ts';

/** Kinds of work that do not share turns. */
export type WorkKind =
  /** Conditions are evaluated, or patterns checked: the slowest. */
  | 'evaluation'
  | 'search'
  /** Devices are exported: as slow as whoever takes them. */
  | 'export'
  /** Inventories are read and stored. */
  | 'inventory'
  /** Any other read or write of a known caller. */
  | 'work'
  /** Who is asking is found out. */
  | 'identification'
  /** Signing in and out, and refreshing a session. */
  | 'sign-in';

/** The limits of every kind in turns, and those of memory in bytes. */
export type RequestBudgets = Readonly<Record<WorkKind | 'bytes', ShareLimits>>;

/** The budgets, with who holds what of them at present. */
export type RequestShares = Readonly<Record<WorkKind | 'bytes', FairShare>>;

const MIB = 1_048_576;

/** What turns are for: the connections of a pool, and the processor cores of the database's machine. */
export interface DatabaseResources {
  /** Connections by the kind of work that they are for. */
  readonly connections: Readonly<Record<'evaluation' | 'search' | 'work' | 'export' | 'inventory', number>>;
  readonly cores: number;
}

/** The budgets that suit a database. */
export function budgetsFor({ connections, cores }: DatabaseResources): RequestBudgets {
  return {
    evaluation: {
      // A turn is a little longer than the time on a connection: the conditions are read within it, too. It ends
      // before the entry is in the audit log. Of eight connections a tenant has six at most.
      ...partOf(1.5 * connections.evaluation, 1 / 2),
      maxWaitingPerCaller: 128,
      maxWaitingPerTenant: 256,
      maxWaitMs: 10_000,
      // A slow evaluation is a core in use. Whatever one tenant evaluates, a core is left for others.
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
    // A turn lasts as long as its answer. Those who take theirs slowly leave turns to other tenants; each keeps a
    // connection and a snapshot.
    export: {
      ...partOf(connections.export, 3 / 8),
      maxWaitingPerCaller: 8,
      maxWaitingPerTenant: 16,
      maxWaitMs: 10_000,
    },
    // What waits holds its document.
    inventory: {
      ...partOf(connections.inventory, 1 / 2),
      perCaller: atLeastOne(connections.inventory / 2),
      maxWaitingPerCaller: 64,
      maxWaitingPerTenant: 128,
      maxWaitMs: 10_000,
    },
    // Many people may share a network, and each of these takes no more than a look-up.
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

/** Turns in all, a tenant's part of them, and of this all but one for a caller. */
function partOf(turns: number, part: number): Pick<ShareLimits, 'total' | 'perTenant' | 'perCaller'> {
  const perTenant = atLeastOne(turns * part);
  return { total: atLeastOne(turns), perTenant, perCaller: atLeastOne(perTenant - 1) };
}

function atLeastOne(turns: number): number {
  return Math.max(1, Math.floor(turns));
}

/** Of the PostgreSQL backend, where nobody says how many. */
export const USUAL_CONNECTIONS: DatabaseResources['connections'] = {
  evaluation: 8,
  search: 8,
  work: 8,
  export: 8,
  inventory: 4,
};

/** For a machine of two cores. */
export const DEFAULT_BUDGETS: RequestBudgets = budgetsFor({ connections: USUAL_CONNECTIONS, cores: 2 });

/** Shares by these budgets, of which nobody holds anything yet. */
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

/** Whose share a request uses: the tenant's first, and within it the person's, whatever credential they came with. */

/** Of a known caller: their organization, else their partner, else the platform; and the user. */
export function claimantOf({ scope, userId }: Caller): Claimant {
  return { tenant: tenantOf(scope, userId), caller: userId };
}

/**
 * Of somebody whose credential is still unknown, or who needs none: the client at their address, and before it their
 * site, as a subscriber has more addresses than one to flood from.
 */
export function claimantAt(address: string | null): Claimant {
  if (address === null) return { tenant: 'site unknown', caller: 'client unknown' };
  return { tenant: `site ${siteOf(address)}`, caller: `client ${clientOf(address)}` };
}

/**
 * Of the machines that report with this key. They share with other keys of their organization, and not with its
 * people, so that a flood of reports takes nothing from these.
 */
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
      // Whoever reaches nothing shares with nobody.
      return `user ${userId}`;
  }
}
