import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { OrgId } from '#domain/ids.ts';
import { utf8Length } from '#domain/text/code-points.ts';

/** The quota usage of an organization's saved filters. Filters of other organizations are skipped. */
export function usageOf(filters: Iterable<SavedFilter>, orgId: OrgId): FilterUsage {
  const usage = { filters: 0, conditionBytes: 0 };
  for (const filter of filters) {
    if (filter.orgId !== orgId) continue;
    usage.filters += 1;
    usage.conditionBytes += conditionBytesOf(filter);
  }
  return usage;
}

/** Cached, because counting 64 MiB takes long. Rows are frozen, so the cache stays valid. */
export function conditionBytesOf(filter: SavedFilter): number {
  const bytes = BYTES.get(filter) ?? utf8Length(filter.conditionsJson);
  BYTES.set(filter, bytes);
  return bytes;
}

const BYTES = new WeakMap<SavedFilter, number>();
