/** How many filters an owner may have, and how large they may be (Contract: §5). */
import { ownerIdOf } from '#domain/access/ownership.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { MAX_CONDITION_BYTES_PER_ORGANIZATION, MAX_FILTERS_PER_ORGANIZATION } from '#domain/limits.ts';

/** What an owner's filters use, or what a change adds. */
export interface FilterUsage {
  readonly filters: number;
  /** JSON text in UTF-8. */
  readonly conditionBytes: number;
}

/** Describes the exceeded quota, as the end of an error message. Null if the change fits or adds nothing. */
export function quotaExceededBy(added: FilterUsage, used: FilterUsage, owner: Owner['kind']): string | null {
  const quota = QUOTA_NAMES.find((each) => exceeds(each, added, used));
  return quota === undefined ? null : describe(quota, added[quota], used[quota], owner);
}

export interface FilterGrowth extends FilterUsage {
  readonly owner: Owner;
}

export interface QuotaFault<T> {
  readonly change: T;
  readonly member: 'orgId' | 'partnerId' | 'conditions';
  readonly message: string;
}

/**
 * The filters that exceed a quota, in load order. Only the final sum counts: filters that shrink make room for others
 * anywhere in the load.
 */
export function findQuotaFaults<T extends FilterGrowth>(
  changes: readonly T[],
  usedBy: (owner: Owner) => FilterUsage,
): readonly QuotaFault<T>[] {
  const totals = new Map<OrgId | PartnerId, FilterUsage>();
  for (const change of changes) {
    const id = ownerIdOf(change.owner);
    totals.set(id, sum(totals.get(id), change));
  }
  const reached = new Map<OrgId | PartnerId, FilterUsage>();
  return changes.flatMap((change) => {
    const id = ownerIdOf(change.owner);
    const used = usedBy(change.owner);
    const before = sum(reached.get(id), used);
    reached.set(id, sum(reached.get(id), change));
    const total = totals.get(id) ?? NOTHING;
    const quota = QUOTA_NAMES.find((each) => exceeds(each, change, before) && exceeds(each, total, used));
    if (quota === undefined) return [];
    const { kind } = change.owner;
    const member = quota === 'conditionBytes' ? 'conditions' : kind === 'partner' ? 'partnerId' : 'orgId';
    return [{ change, member, message: describe(quota, total[quota], used[quota], kind) }];
  });
}

type Quota = keyof FilterUsage;

const QUOTAS = {
  filters: { allowed: MAX_FILTERS_PER_ORGANIZATION, unit: 'saved filters' },
  conditionBytes: {
    allowed: MAX_CONDITION_BYTES_PER_ORGANIZATION,
    unit: 'bytes of conditions',
  },
} as const;

const QUOTA_NAMES = ['filters', 'conditionBytes'] as const satisfies readonly Quota[];

function exceeds(quota: Quota, added: FilterUsage, used: FilterUsage): boolean {
  return added[quota] > 0 && used[quota] + added[quota] > QUOTAS[quota].allowed;
}

const NOTHING: FilterUsage = { filters: 0, conditionBytes: 0 };

function sum(a: FilterUsage = NOTHING, b: FilterUsage): FilterUsage {
  return { filters: a.filters + b.filters, conditionBytes: a.conditionBytes + b.conditionBytes };
}

function describe(quota: Quota, added: number, used: number, owner: Owner['kind']): string {
  const { allowed, unit } = QUOTAS[quota];
  const [most, has, more] = [allowed, used, added].map((count) => count.toLocaleString('en-US'));
  const holder = owner === 'organization' ? 'an organization' : 'a partner';
  return `${holder} holds at most ${most} ${unit}; this one has ${has}, and this would add ${more}`;
}
