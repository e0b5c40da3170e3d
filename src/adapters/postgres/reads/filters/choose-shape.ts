import { LRUCache } from 'lru-cache';
import {
  type CompiledFilter,
  isLookedThrough,
} from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { CountedShape, PreviewShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/** Up to this many matches, finding them twice costs more than materializing them. */
const FEW_MATCHES = 2_000;

/** Like `FEW_MATCHES`, for filters that find each device through an index and then visit its row. */
const FEW_SEARCHED_MATCHES = 20_000;

/** Up to this many matches, sorting whole rows costs less than reading the page's rows again. */
const VERY_FEW_MATCHES = 1_000;

/** With this many matches, a page fills quickly, so a separate index-only count is faster. */
const ENOUGH_FOR_A_PAGE = 200;

/** In characters. Longer conditions are too expensive to plan and evaluate twice. */
const LONG_CONDITION = 20_000;

const REMEMBERED_TEXTS = 5_000;
const REMEMBERED_LENGTH = 10_000_000;

/** Remembers the outcome of each statement's last run, by the statement's text. */
export function makeLastRuns<Run extends object | number>(): LRUCache<string, Run> {
  return new LRUCache<string, Run>({
    max: REMEMBERED_TEXTS,
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: (_run, text) => text.length,
  });
}

export function chooseShape(filter: CompiledFilter, lastTotal: number | undefined): CountedShape {
  const isSearch = filter.looksSelective && filter.narrow !== 'software';
  const few = isSearch ? FEW_SEARCHED_MATCHES : FEW_MATCHES;
  return filter.condition.length > LONG_CONDITION || expectedTotal(filter, lastTotal) <= few
    ? 'materialized'
    : 'split';
}

/** Chooses the shape of a preview, or of a first page sorted by host name. */
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

export function chooseFirstShape(
  filter: CompiledFilter,
  lastTotal: number | undefined,
  { plansWindows }: PreviewPlanning,
): PreviewShape {
  return plansWindows && !isLookedThrough(filter) && expectedTotal(filter, lastTotal) <= VERY_FEW_MATCHES
    ? 'windowed'
    : chooseShape(filter, lastTotal);
}

export interface PreviewPlanning {
  /** Whether the planner estimates the shape `windowed` correctly. */
  readonly plansWindows: boolean;
}

/** Since PostgreSQL 17, the planner knows that a window count reads all rows. */
export function planningOf(serverVersion: number): PreviewPlanning {
  return { plansWindows: serverVersion >= 170_000 };
}

/**
 * Without a known total, a selective filter is assumed to match nothing. This avoids `split`, whose page
 * would walk all devices if few match.
 */
function expectedTotal(filter: CompiledFilter, lastTotal: number | undefined): number {
  return lastTotal ?? (filter.looksSelective ? 0 : Number.POSITIVE_INFINITY);
}

/**
 * Whether a preview in one organization soon fills its page: the filter reads only states, and its last run
 * matched several pages of devices.
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

const SOON_FULL = 3;
