/**
 * What requests may use of the service at once (Contract: §1, `rate_limited`): turns by kind of work, and bytes that
 * are in memory for them. No tenant gets more than half of the turns, so that there is always room for another.
 */
import { type ClaimOutcome, FairShare, type ShareLimits } from './fair-share.ts';

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

export type RequestShares = Readonly<Record<WorkKind | 'bytes', FairShare>>;

/** Turns at once of what has a pool of eight connections. */
const OF_A_POOL = { total: 8, perTenant: 4, perCaller: 3 };

const MIB = 1_048_576;

/** Sized to the pools of the PostgreSQL backend. */
export const DEFAULT_BUDGETS: RequestBudgets = {
  // A turn is a little longer than the time on a connection: the conditions are read within it, too. It ends before
  // the entry is in the audit log. Of eight connections a tenant has six at most.
  evaluation: {
    total: 12,
    perTenant: 6,
    perCaller: 5,
    maxWaitingPerCaller: 128,
    maxWaitingPerTenant: 256,
    maxWaitMs: 10_000,
  },
  search: { ...OF_A_POOL, maxWaitingPerCaller: 128, maxWaitingPerTenant: 256, maxWaitMs: 5_000 },
  work: { ...OF_A_POOL, maxWaitingPerCaller: 128, maxWaitingPerTenant: 256, maxWaitMs: 5_000 },
  // A turn lasts as long as its answer. Those who take theirs slowly leave turns to other tenants; each keeps a
  // connection and a snapshot.
  export: {
    total: 8,
    perTenant: 3,
    perCaller: 2,
    maxWaitingPerCaller: 8,
    maxWaitingPerTenant: 16,
    maxWaitMs: 10_000,
  },
  // Half of a pool that loads and the audit log use, too; and what waits holds its document.
  inventory: {
    total: 4,
    perTenant: 2,
    perCaller: 2,
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
