/**
 * Pages in orders that no index has, such as by CPU use. A sample of devices gives a threshold: the last
 * value that the page is likely to have. Only devices up to it are candidates, so the page may be too short.
 */
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { OWN_STATE } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import type { DevicePlace, PageParts } from './device-page.ts';
import { behind, inOrder, inOrderOfValues, notBefore, SORT_COLUMNS, windowOf } from './page-order.ts';
import {
  countOf,
  matchingDevices,
  matchingStates,
  sampledStates,
  stateCondition,
  statesInScope,
} from './preview-query.ts';

/**
 * `beyond a threshold` reads `device_state` for all devices and evaluates the filter only for candidates.
 * `one scan`, for filters that read only states, counts the matches in the same scan.
 */
export type ThresholdShape = 'one scan' | 'beyond a threshold';

export function oneScan(scope: AccessScope, filter: CompiledFilter, place: DevicePlace): PageParts {
  const { sort, after, withCount } = place;
  const { column } = SORT_COLUMNS[sort.key];
  const isNotBefore = notBefore(sort, after, column);
  const sample = sampledStates(scope, filter, SAMPLED_PERCENT);
  const threshold = thresholdOf(place, sql`${sample} and ${isNotBefore}`, CANDIDATES_PER_DEVICE);
  const isCandidate = sql`${isBeyondThreshold(place)} and ${isNotBefore}`;
  // A scan avoids an index on a status or a flag, which would fetch many states one by one.
  const isScanned = true;
  // The scan remembers the ctid of each candidate, so finding them again takes no second scan.
  const found = withCount
    ? sql`c as materialized (select count(*) as total, array_agg(d.ctid) filter (where ${isCandidate}) as places
                ${matchingStates(scope, filter, { isScanned })}),
              n as (select d.id, ${column} as sorted ${statesInScope(scope)} and d.ctid = any((select places from c)::tid[])
                order by ${inOrderOfValues(sort, column)})`
    : // OFFSET 0 chooses candidates first. Only their rows are unpacked as far as the filter's columns.
      sql`n as (select d.id, ${column} as sorted
                from (select d.* ${statesInScope(scope)} and ${isCandidate} offset 0) d${OWN_STATE}
                where ${stateCondition(filter, { isScanned })} order by ${inOrderOfValues(sort, column)})`;
  return {
    found: sql`${threshold}, ${found}, ${bestCandidates(place, sql`from device d where d.id = n.id`)}`,
    total: sql`c`,
  };
}

export function thresholdPage(scope: AccessScope, filter: CompiledFilter, place: DevicePlace): PageParts {
  const { sort, after } = place;
  const { column } = SORT_COLUMNS[sort.key];
  const isOfStates = filter.narrow === 'state';
  const asked = isOfStates ? filter : null;
  const isNotBefore = notBefore(sort, after, column);
  const threshold = thresholdOf(
    place,
    sql`${sampledStates(scope, asked, SAMPLED_PERCENT)} and ${isNotBefore}`,
    isOfStates ? CANDIDATES_PER_DEVICE : ASKED_CANDIDATES_PER_DEVICE,
  );
  const states = asked === null ? statesInScope(scope) : matchingStates(scope, asked);
  const devices = isOfStates ? sql`from device d where` : sql`${matchingDevices(scope, filter)} and`;
  return {
    found: sql`${threshold},
              n as (select d.id, ${column} as sorted ${states} and ${isNotBefore} and ${isBeyondThreshold(place)}
                order by ${inOrderOfValues(sort, column)}),
              ${bestCandidates(place, sql`${devices} d.id = n.id`)}`,
    total: countOf(scope, filter),
  };
}

const SAMPLED_PERCENT = 1;

/** Candidates for each device of the page. `ASKED` candidates are not filtered yet, so more are needed. */
const CANDIDATES_PER_DEVICE = 2;
const ASKED_CANDIDATES_PER_DEVICE = 20;

/** Added to the threshold's rank in the sample, because small samples vary by this much. */
const MARGIN = 5;

/**
 * If more sampled devices have the threshold as their value, no device is a candidate, because looking up all
 * their names takes too long.
 */
const MOST_TIES = 20;

/**
 * The common table expression `t`, with the threshold. If the sample is small, every device is a candidate.
 * If few sampled devices have a value, or too many share the threshold, no device is a candidate.
 */
function thresholdOf({ sort, limit, offset }: DevicePlace, sample: Sql, perDevice: number): Sql {
  const { column } = SORT_COLUMNS[sort.key];
  const rank = MARGIN + Math.ceil((perDevice * (limit + offset) * SAMPLED_PERCENT) / 100);
  const { first, last } = extremesOf(sort);
  return sql`s as materialized (select ${column} as sorted ${sample}),
              v as materialized (select sorted from s order by ${inOrderOfValues(sort, sql`sorted`)} offset ${countLiteral(rank)} limit 1),
              t as materialized (select case when not exists (select from v) then ${last}
                when (select sorted from v) is null
                  or (select count(*) from s join v on s.sorted = v.sorted) > ${countLiteral(MOST_TIES)} then ${first}
                else (select sorted from v) end as sorted)`;
}

/** True for candidates. A missing value comes last. */
function isBeyondThreshold({ sort }: DevicePlace): Sql {
  const { column } = SORT_COLUMNS[sort.key];
  const value = sql`coalesce(${column}, ${extremesOf(sort).last})`;
  return sql`${value} ${sort.isDescending ? sql`>=` : sql`<=`} (select t.sorted from t)`;
}

function extremesOf({ isDescending }: DeviceSort): { readonly first: Sql; readonly last: Sql } {
  const [least, greatest] = [sql`'-infinity'`, sql`'infinity'`];
  return isDescending ? { first: greatest, last: least } : { first: least, last: greatest };
}

/**
 * The common table expression `p`: candidates `n` in the order of their values, until the page is full. The
 * planner cannot know that few candidates suffice, so OFFSET 0 keeps it from joining all of them.
 */
function bestCandidates(place: DevicePlace, device: Sql): Sql {
  const { sort, after } = place;
  return sql`p as (select n.id, d.hostname_lc, n.sorted
                from n cross join lateral (select d.hostname_lc ${device} offset 0) d
                where ${behind(sort, after, OF_CANDIDATE)} order by ${inOrder(sort, OF_CANDIDATE)} ${windowOf(place)})`;
}

const OF_CANDIDATE = { sorted: sql`n.sorted`, hostname: sql`d.hostname_lc`, id: sql`n.id` };
