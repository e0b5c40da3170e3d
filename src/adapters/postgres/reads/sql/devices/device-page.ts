/** Pages of the devices that match a filter, in any order (Contract: §10). */
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NARROW_ROWS } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import {
  behind,
  behindAmongValues,
  inOrder,
  inOrderOfValues,
  notBefore,
  SORT_COLUMNS,
  sortedName,
  tieBehind,
} from './page-order.ts';
import {
  countedRows,
  fewMatches,
  fewNames,
  matchingDevices,
  matchingStates,
  type PreviewShape,
  sampledStates,
  stateCondition,
  statesInScope,
} from './preview-query.ts';

/** What a page is, beside its filter. */
export type DevicePlace = Pick<DevicePageRequest, 'sort' | 'limit' | 'after' | 'offset' | 'withCount'>;

/**
 * How a page and its count are found, beside the ways of previews. `beyond a threshold` reads the states of all
 * devices, which are narrow, for those not behind a value that a sample gives, and asks the filter of these few alone:
 * for an order that no index has. `one scan` counts at the same time, where the filter reads nothing but states. Both may
 * give fewer devices than there are. `part by part` asks for each value of an enumeration in turn, by host name, or for
 * the devices that have a name and then for the others, as an index has them: for many matches.
 */
export type DevicePageShape = PreviewShape | ThresholdShape | 'part by part';

export type ThresholdShape = 'one scan' | 'beyond a threshold';

/** See `ScopedStatement.devicePage`. What is sorted is narrow: the rest of the rows is fetched by id at the end. */
export function devicePageQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  place: DevicePlace,
  shape: DevicePageShape,
): Sql {
  if (shape === 'windowed') return windowedPage(scope, filter, place);
  const { found, total, isWhole = false } = PARTS[shape](scope, filter, place);
  const [row, rows] = isWhole ? [sql`p`, sql`p`] : [sql`d`, sql`(p join device d on d.id = p.id)`];
  return sql`with ${found} select c.total, ${rowColumns(row)}
              from ${place.withCount ? total : sql`(select null::int8 as total)`} c
              left join ${rows} on true order by ${inOrder(place.sort, OF_PAGE)}`;
}

/** A first page; without a row if nothing matches. */
function windowedPage(scope: AccessScope, filter: CompiledFilter, place: DevicePlace): Sql {
  const { sort, after, offset, withCount } = place;
  if (after !== null || offset > 0) throw new Error('only first pages are counted on the way');
  const { column } = SORT_COLUMNS[sort.key];
  const count = sql`count(*) over ()`;
  // What is not wanted is counted all the same: else the planner may walk all devices in order until the page is full.
  const total = withCount ? count : sql`case when ${count} < 0 then 0::int8 end`;
  // What is computed of a row is computed for the page alone.
  const page = sql`${matches(column)}, ${total} as total${STORED_COLUMNS} ${fewMatches(scope, filter)}
              order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)}`;
  return sql`select p.total, ${rowColumns(sql`p`)} from (${page}) p order by ${inOrder(sort, OF_PAGE)}`;
}

interface PageParts {
  /** Common table expressions, of which `p` has the page: rows of (id, hostname_lc, sorted). */
  readonly found: Sql;
  /** What is a row of (total). */
  readonly total: Sql;
  /** Whether `p` has the columns of `rowColumns` as well: where an index has the order, nothing is sorted. */
  readonly isWhole?: boolean;
}

type MakeParts = (scope: AccessScope, filter: CompiledFilter, place: DevicePlace) => PageParts;

const PARTS: Readonly<Record<Exclude<DevicePageShape, 'windowed'>, MakeParts>> = {
  split: (scope, filter, place) => {
    const { sort, after } = place;
    const { column } = SORT_COLUMNS[sort.key];
    const isWhole = sort.key === 'hostname';
    return {
      found: sql`p as (${matches(column)}${isWhole ? STORED_COLUMNS : sql``} ${matchingDevices(scope, filter)}
                and ${behind(sort, after, ofDevice(column))} order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)})`,
      total: countOf(scope, filter),
      isWhole,
    };
  },

  materialized: (scope, filter, place) => {
    const { sort, after } = place;
    const { column } = SORT_COLUMNS[sort.key];
    // What looks through names does so in an index that has nothing else of a device.
    const isLookedThrough = (filter.looksSelective && !filter.looksIndexed) || filter.ranges.length > 0;
    const valued = sort.key === 'displayName' ? sql`device d` : NARROW_ROWS.state.table;
    const ofNames =
      sort.key === 'hostname'
        ? sql`m as materialized (select f.id, f.hostname_lc, f.hostname_lc as sorted from (${fewNames(scope, filter)}) f)`
        : sql`f as materialized (${fewNames(scope, filter)}),
              m as materialized (select f.id, f.hostname_lc, ${column} as sorted from f join ${valued} on d.id = f.id)`;
    const found = isLookedThrough
      ? ofNames
      : sql`m as materialized (${matches(column)} ${fewMatches(scope, filter)})`;
    return {
      found: sql`${found},
              p as (select m.* from m where ${behind(sort, after, OF_MATCH)}
                order by ${inOrder(sort, OF_MATCH)} ${windowOf(place)})`,
      total: sql`(select count(*) as total from m)`,
    };
  },

  'one scan': (scope, filter, place) => {
    const { sort, after, withCount } = place;
    const { column } = SORT_COLUMNS[sort.key];
    const isNotBefore = notBefore(sort, after, column);
    const sample = sampledStates(scope, filter, SAMPLED_PERCENT);
    const threshold = thresholdOf(place, sql`${sample} and ${isNotBefore}`, CANDIDATES_PER_DEVICE);
    const isCandidate = sql`${isBeyondThreshold(place)} and ${isNotBefore}`;
    // An index of words or flags would lead to each of many states one by one.
    const isScanned = true;
    // The place of a state is enough to come back to it, and asks for each only once whether it is a candidate.
    const found = withCount
      ? sql`c as materialized (select count(*) as total, array_agg(d.ctid) filter (where ${isCandidate}) as places
                ${matchingStates(scope, filter, { isScanned })}),
              n as (select d.id, ${column} as sorted ${statesInScope(scope)} and d.ctid = any((select places from c)::tid[])
                order by ${inOrderOfValues(sort, column)})`
      : // OFFSET 0: what the filter reads, further on in the row, is taken out of those of candidates alone.
        sql`n as (select d.id, ${column} as sorted
                from (select d.* ${statesInScope(scope)} and ${isCandidate} offset 0) d
                where ${stateCondition(filter, { isScanned })} order by ${inOrderOfValues(sort, column)})`;
    return {
      found: sql`${threshold}, ${found}, ${bestCandidates(place, sql`from device d where d.id = n.id`)}`,
      total: sql`c`,
    };
  },

  'beyond a threshold': (scope, filter, place) => {
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
  },

  'part by part': (scope, filter, place) => {
    const { sort, limit, after, offset } = place;
    const { column } = SORT_COLUMNS[sort.key];
    const size = countLiteral(limit + offset, 1);
    const parts = partsBehind(sort, after).map(
      ({ isPart, order }) => sql`(${matches(column)} ${matchingDevices(scope, filter)} and ${isPart}
                order by ${order} limit ${size})`,
    );
    return {
      // PostgreSQL runs the parts of an Append one after the other, and stops when there are enough.
      found: sql`p as (select w.* from (${parts.join(' union all ') as Sql}) w ${windowOf(place)})`,
      total: countOf(scope, filter),
    };
  },
};

/** How much of the states is looked at for a threshold. */
const SAMPLED_PERCENT = 1;

/** How many candidates are wanted for each device of a page: the filter may not hold of those that it is still asked of. */
const CANDIDATES_PER_DEVICE = 2;
const ASKED_CANDIDATES_PER_DEVICE = 20;

/** Candidates beyond those, in the sample: a small number is off by so many at times. */
const MARGIN = 5;

/** Devices that share a value, in the sample: with more, none is a candidate, as each candidate's name is looked up. */
const MOST_TIES = 20;

/**
 * The common table expression `t` with the threshold, the last value that a candidate may have: no value at all is
 * too far if the sample is small, and each is if few of the sample have a value, or too many this one.
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

/** Whether the state `d` is a candidate. A missing value comes last. */
function isBeyondThreshold({ sort }: DevicePlace): Sql {
  const { column } = SORT_COLUMNS[sort.key];
  const value = sql`coalesce(${column}, ${extremesOf(sort).last})`;
  return sql`${value} ${sort.isDescending ? sql`>=` : sql`<=`} (select t.sorted from t)`;
}

/** What no device has: before all values in the order, and behind them. */
function extremesOf({ isDescending }: DeviceSort): { readonly first: Sql; readonly last: Sql } {
  const [least, greatest] = [sql`'-infinity'`, sql`'infinity'`];
  return isDescending ? { first: greatest, last: least } : { first: least, last: greatest };
}

/**
 * The common table expression `p` of the candidates `n`, which are in the order of their values. Each is looked up in
 * turn until the page is full; OFFSET 0 keeps the planner, which cannot know how few they are, from joining them all.
 */
function bestCandidates(place: DevicePlace, device: Sql): Sql {
  const { sort, after } = place;
  return sql`p as (select n.id, d.hostname_lc, n.sorted
                from n cross join lateral (select d.hostname_lc ${device} offset 0) d
                where ${behind(sort, after, OF_CANDIDATE)} order by ${inOrder(sort, OF_CANDIDATE)} ${windowOf(place)})`;
}

/** Devices that come one after the other in an order, and what they are ordered by among themselves. */
interface OrderedPart {
  readonly isPart: Sql;
  readonly order: Sql;
}

function partsBehind(sort: DeviceSort, after: DevicePosition | null): readonly OrderedPart[] {
  return SORT_COLUMNS[sort.key].words.length > 0 ? wordsBehind(sort, after) : namesBehind(sort, after);
}

/** The values of an enumeration from the place on, in the order of the sort, and then none. */
function wordsBehind(
  { key, isDescending }: DeviceSort,
  after: DevicePosition | null,
): readonly OrderedPart[] {
  const { column, literal, isNullable, words } = SORT_COLUMNS[key];
  const values: readonly (string | null)[] = [
    ...(isDescending ? words.toReversed() : words),
    ...(isNullable ? [null] : []),
  ];
  const start = after === null ? 0 : values.indexOf(after.value as string | null);
  return values.slice(start).map((value) => {
    const isWord = value === null ? sql`${column} is null` : sql`${column} = ${literal(value)}`;
    const isBehind =
      after !== null && value === after.value ? sql` and ${tieBehind(after, ofDevice(column))}` : sql``;
    return { isPart: sql`${isWord}${isBehind}`, order: sql`d.hostname_lc, d.id` };
  });
}

/** Those with a name, read forwards or backwards, and then those without, which are at the end of the index. */
function namesBehind(sort: DeviceSort, after: DevicePosition | null): readonly OrderedPart[] {
  const { column } = SORT_COLUMNS[sort.key];
  const columns = ofDevice(column);
  // The beginning of the host name is in the index, so that of devices with one name no more are sorted than needed.
  const order = (direction: Sql) =>
    sql`${column}${direction}, ${sortedName(sql`d.hostname_lc`)}, d.hostname_lc, d.id`;
  const isBehind = after === null ? sql`true` : behindAmongValues(sort, after, columns);
  const named = {
    isPart: sql`${column} is not null and ${isBehind}`,
    order: order(sort.isDescending ? sql` desc` : sql``),
  };
  const isLastBehind = after?.value === null ? sql` and ${tieBehind(after, columns)}` : sql``;
  const nameless = { isPart: sql`${column} is null${isLastBehind}`, order: order(sql``) };
  return after?.value === null ? [nameless] : [named, nameless];
}

function matches(column: Sql): Sql {
  return sql`select d.id, d.hostname_lc, ${column} as sorted`;
}

function windowOf({ limit, offset }: DevicePlace): Sql {
  return sql`limit ${countLiteral(limit, 1)} offset ${countLiteral(offset)}`;
}

function countOf(scope: AccessScope, filter: CompiledFilter): Sql {
  return sql`(select count(*) as total ${countedRows(scope, filter)})`;
}

const ofDevice = (sorted: Sql) => ({ sorted, hostname: sql`d.hostname_lc`, id: sql`d.id` });
const OF_CANDIDATE = { sorted: sql`n.sorted`, hostname: sql`d.hostname_lc`, id: sql`n.id` };
const OF_MATCH = { sorted: sql`m.sorted`, hostname: sql`m.hostname_lc`, id: sql`m.id` };
const OF_PAGE = { sorted: sql`p.sorted`, hostname: sql`p.hostname_lc`, id: sql`p.id` };

/** What `rowColumns` needs beside what each match has. */
const STORED_COLUMNS = sql`, d.org_id, d.site_id, d.hostname, d.display_name, d.status, d.os_type, d.os_version,
  d.device_role, d.last_user, d.tags, d.last_seen_at, d.enrolled_at, d.cpu_percent, d.ram_percent, d.disk_percent,
  d.pending_patches, d.critical_alerts, d.reboot_required`;

/** What lists show of a device, as `PageRow` has it. */
function rowColumns(d: Sql): Sql {
  return sql`${d}.id, ${d}.org_id, ${d}.site_id, ${d}.hostname, ${d}.display_name, ${d}.status, ${d}.os_type,
  ${d}.os_version, ${d}.device_role, ${d}.last_user, to_json(${d}.tags),
  (extract(epoch from ${d}.last_seen_at) * 1000)::int8, (extract(epoch from ${d}.enrolled_at) * 1000)::int8,
  ${d}.cpu_percent, ${d}.ram_percent, ${d}.disk_percent, ${d}.pending_patches > 0, ${d}.critical_alerts > 0,
  ${d}.reboot_required`;
}
