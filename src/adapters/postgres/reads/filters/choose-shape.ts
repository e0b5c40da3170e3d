import { LRUCache } from 'lru-cache';
import {
  type CompiledFilter,
  isLookedThrough,
} from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import type { CountedShape, PreviewShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/** Up to this many matches, finding them twice costs more than materializing them. */
const FEW_MATCHES = 2_000;

/** For filters that find each device through an index and then visit its row. */
const FEW_SEARCHED_MATCHES = 20_000;

/** Up to this many matches, whole rows cost less than reading the page's rows again. */
const VERY_FEW_MATCHES = 1_000;

/** From this many matches on, a page fills soon, so an index-only count runs apart from it. */
const ENOUGH_FOR_A_PAGE = 200;

/** In characters. Longer conditions are too expensive to plan and evaluate twice. */
const LONG_CONDITION = 20_000;

const REMEMBERED_TEXTS = 5_000;
const REMEMBERED_LENGTH = 10_000_000;

/** What the last run of a statement told, by text. */
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

/** Also for a first page in the preview's order. */
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
  /** The planner estimates the cost of the shape `windowed`. */
  readonly plansWindows: boolean;
}

/** Since PostgreSQL 17 the planner accounts for a window count reading all rows. */
export function planningOf(serverVersion: number): PreviewPlanning {
  return { plansWindows: serverVersion >= 170_000 };
}

/**
 * Without a total, a selective filter is expected to match little. The page of a `split` walks all devices in order
 * until it is full, so with few matches it would walk to the end.
 */
function expectedTotal(filter: CompiledFilter, lastTotal: number | undefined): number {
  return lastTotal ?? (filter.looksSelective ? 0 : Number.POSITIVE_INFINITY);
}

/**
 * For previews in one organization: the states of devices alone decide the match, and the last run found a few pages.
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
