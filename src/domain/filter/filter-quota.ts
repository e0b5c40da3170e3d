/** Contract: §5. */
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_CONDITION_BYTES_PER_ORGANIZATION, MAX_FILTERS_PER_ORGANIZATION } from '#domain/limits.ts';

/** What the filters of an organization or a partner use, or what a change adds. */
export interface FilterUsage {
  readonly filters: number;
  /** JSON text in UTF-8. */
  readonly conditionBytes: number;
}

/** The end of a sentence that says why the change is refused; null if it fits or adds nothing. */
export function quotaExceededBy(added: FilterUsage, used: FilterUsage, owner: Owner['kind']): string | null {
  const quota = QUOTA_NAMES.find((each) => exceeds(each, added, used));
  return quota === undefined ? null : describe(quota, added[quota], used[quota], owner);
}

/** What a load adds for one filter. */
export interface FilterGrowth extends FilterUsage {
  readonly orgId: OrgId;
}

/** A filter that exceeds the quota. */
export interface QuotaFault<T> {
  readonly change: T;
  readonly member: 'orgId' | 'conditions';
  readonly message: string;
}

/** In load order. Only the final sum counts: filters that shrink make room for others anywhere in the load. */
export function findQuotaFaults<T extends FilterGrowth>(
  changes: readonly T[],
  usedBy: (orgId: OrgId) => FilterUsage,
): readonly QuotaFault<T>[] {
  const totals = new Map<OrgId, FilterUsage>();
  for (const change of changes) totals.set(change.orgId, sum(totals.get(change.orgId), change));
  const reached = new Map<OrgId, FilterUsage>();
  return changes.flatMap((change) => {
    const { orgId } = change;
    const used = usedBy(orgId);
    const before = sum(reached.get(orgId), used);
    reached.set(orgId, sum(reached.get(orgId), change));
    const total = totals.get(orgId) ?? NOTHING;
    const quota = QUOTA_NAMES.find((each) => exceeds(each, change, before) && exceeds(each, total, used));
    if (quota === undefined) return [];
    return [
      {
        change,
        member: QUOTAS[quota].member,
        message: describe(quota, total[quota], used[quota], 'organization'),
      },
    ];
  });
}

type Quota = keyof FilterUsage;

const QUOTAS = {
  filters: { allowed: MAX_FILTERS_PER_ORGANIZATION, unit: 'saved filters', member: 'orgId' },
  conditionBytes: {
    allowed: MAX_CONDITION_BYTES_PER_ORGANIZATION,
    unit: 'bytes of conditions',
    member: 'conditions',
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
