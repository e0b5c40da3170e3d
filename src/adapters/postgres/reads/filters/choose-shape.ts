/** Which shape a statement takes that counts and pages the devices of a filter. */
import { LRUCache } from 'lru-cache';
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { CountedShape, PreviewShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/** Up to this many matches, finding them twice costs more than materializing them. */
const FEW_MATCHES = 2_000;

/** The same for filters that find each device through an index and then visit its row, which costs as much. */
const FEW_SEARCHED_MATCHES = 20_000;

/** Up to this many matches, reading their whole rows costs less than coming back for those of the page. */
const VERY_FEW_MATCHES = 1_000;

/**
 * From this many matches on, those that an index counts without a look at their rows are counted apart from the page,
 * which is soon full.
 */
const ENOUGH_FOR_A_PAGE = 200;

/** Longer conditions are too expensive to plan and evaluate twice, in characters. */
const LONG_CONDITION = 20_000;

/** How many statements are remembered with their last total, and how many characters in all. */
const REMEMBERED_TEXTS = 5_000;
const REMEMBERED_LENGTH = 10_000_000;

/** How many devices matched when a text was last run. */
export function makeLastTotals(): LRUCache<string, number> {
  return new LRUCache<string, number>({
    max: REMEMBERED_TEXTS,
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: (_total, text) => text.length,
  });
}

/** The shape for a filter, by how many devices it found when it was last run. */
export function chooseShape(filter: CompiledFilter, lastTotal: number | undefined): CountedShape {
  const isSearch = filter.looksSelective && filter.narrow !== 'software';
  const few = isSearch ? FEW_SEARCHED_MATCHES : FEW_MATCHES;
  return filter.condition.length > LONG_CONDITION || expectedTotal(filter, lastTotal) <= few
    ? 'materialized'
    : 'split';
}

/** The same for a preview, or for a first page in its order. */
export function choosePreviewShape(
  filter: CompiledFilter,
  lastTotal: number | undefined,
  planning: PreviewPlanning,
): PreviewShape {
  const isCounted = filter.isCountedByIndex && filter.condition.length <= LONG_CONDITION;
  return isCounted && expectedTotal(filter, lastTotal) >= ENOUGH_FOR_A_PAGE
    ? 'split'
    : chooseFirstShape(filter, lastTotal, planning);
}

/** The same for a first page in any order. */
export function chooseFirstShape(
  filter: CompiledFilter,
  lastTotal: number | undefined,
  { plansWindows }: PreviewPlanning,
): PreviewShape {
  // What looks through names for two characters, or in ranges, does so by an index that has nothing else of a row.
  const isLookedThrough = (filter.looksSelective && !filter.looksIndexed) || filter.ranges.length > 0;
  return plansWindows && !isLookedThrough && expectedTotal(filter, lastTotal) <= VERY_FEW_MATCHES
    ? 'windowed'
    : chooseShape(filter, lastTotal);
}

/** What the server can do. */
export interface PreviewPlanning {
  /** Whether its planner knows what the shape `windowed` costs. */
  readonly plansWindows: boolean;
}

/**
 * Without a total, a selective filter is expected to find little: the page of a `split` walks all devices in order
 * until it is full, which with few matches may be never.
 */
function expectedTotal(filter: CompiledFilter, lastTotal: number | undefined): number {
  return lastTotal ?? (filter.looksSelective ? 0 : Number.POSITIVE_INFINITY);
}

/**
 * Whether a preview in one organization is counted apart from its page, which is full after a short walk through the
 * organization: what is counted by the states of its devices alone, and found a few pages of them the last time.
 */
export function isSoonFullInOrganization(
  scope: AccessScope,
  filter: CompiledFilter,
  lastTotal: number,
  limit: number,
): boolean {
  return (
    reachableOrgIds(scope)?.length === 1 &&
    filter.narrow === 'state' &&
    filter.condition.length <= LONG_CONDITION &&
    lastTotal >= SOON_FULL * limit
  );
}

/** In pages. */
const SOON_FULL = 3;
