/** Pages of devices in any order (Contract: §10). */
import {
  type CompiledFilter,
  isLookedThrough,
} from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NARROW_ROWS } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import { furtherColumns } from './export-query.ts';
import {
  behind,
  behindAmongValues,
  inOrder,
  ofDevice,
  SORT_COLUMNS,
  sortedName,
  tieBehind,
  windowOf,
} from './page-order.ts';
import {
  countOf,
  fewMatches,
  fewNames,
  lastSeenMs,
  matchingDevices,
  type PreviewShape,
} from './preview-query.ts';
import { oneScan, type ThresholdShape, thresholdPage } from './threshold-page.ts';

export type DevicePlace = Pick<
  DevicePageRequest,
  'sort' | 'limit' | 'after' | 'offset' | 'withCount' | 'columns'
>;

/**
 * `part by part` is best for many matches. It reads each part in order from an index. For an enumeration, each
 * value is a part. For display names, devices that have one are the first part, and the others the second.
 */
export type DevicePageShape = PreviewShape | ThresholdShape | 'part by part';

/**
 * Each row has the total or NULL, the columns of `rowColumns`, then the columns of the request. Instants are epoch
 * milliseconds. An empty page is one row with a NULL id. The shape `windowed`, which serves only first pages, gives no
 * row instead. Only narrow rows are sorted; other columns are fetched by id at the end.
 */
export function devicePageQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  place: DevicePlace,
  shape: DevicePageShape,
): Sql {
  if (shape === 'windowed') return windowedPage(scope, filter, place);
  const { found, total, isWhole = false } = PARTS[shape](scope, filter, place);
  const { values, joins } = furtherColumns(scope, place.columns);
  const [row, rows] =
    isWhole && place.columns.length === 0
      ? [sql`p`, sql`p`]
      : [sql`d`, sql`(p join device d on d.id = p.id${joins})`];
  return sql`with ${found} select c.total, ${rowColumns(row)}${values}
              from ${place.withCount ? total : sql`(select null::int8 as total)`} c
              left join ${rows} on true order by ${inOrder(place.sort, OF_PAGE)}`;
}

function windowedPage(scope: AccessScope, filter: CompiledFilter, place: DevicePlace): Sql {
  const { sort, after, offset, withCount, columns } = place;
  if (after !== null || offset > 0) throw new Error('only first pages are counted on the way');
  const { column, joins: sorted } = SORT_COLUMNS[sort.key];
  const count = sql`count(*) over ()`;
  // A window count stays even if no total is wanted. Without it, the planner might walk all devices until the
  // page is full.
  const total = withCount ? count : sql`case when ${count} < 0 then 0::int8 end`;
  // The outer query computes its columns only for the page.
  const page = sql`${matches(column)}, ${total} as total${STORED_COLUMNS} ${fewMatches(scope, filter, { joins: sorted })}
              order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)}`;
  const { values, joins } = furtherColumns(scope, columns);
  const device = columns.length === 0 ? sql`` : sql` join device d on d.id = p.id${joins}`;
  return sql`select p.total, ${rowColumns(sql`p`)}${values} from (${page}) p${device} order by ${inOrder(sort, OF_PAGE)}`;
}

export interface PageParts {
  /** Common table expressions. `p` holds the page: rows of (id, hostname_lc, sorted). */
  readonly found: Sql;
  readonly total: Sql;
  /**
   * Whether `p` also has `STORED_COLUMNS`, which is allowed only if an index gives the order, so that no wide
   * rows are sorted.
   */
  readonly isWhole?: boolean;
}

type MakeParts = (scope: AccessScope, filter: CompiledFilter, place: DevicePlace) => PageParts;

const PARTS: Readonly<Record<Exclude<DevicePageShape, 'windowed'>, MakeParts>> = {
  split: (scope, filter, place) => {
    const { sort, after } = place;
    const { column, joins } = SORT_COLUMNS[sort.key];
    const isWhole = sort.key === 'hostname';
    return {
      found: sql`p as (${matches(column)}${isWhole ? STORED_COLUMNS : sql``} ${matchingDevices(scope, filter, { joins })}
                and ${behind(sort, after, ofDevice(column))} order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)})`,
      total: countOf(scope, filter),
      isWhole,
    };
  },

  materialized: (scope, filter, place) => {
    const { sort, after } = place;
    const { column, joins } = SORT_COLUMNS[sort.key];
    const valued = sort.key === 'displayName' ? sql`device d` : sql`(${NARROW_ROWS.state.table})`;
    const ofNames =
      sort.key === 'hostname'
        ? sql`m as materialized (select f.id, f.hostname_lc, f.hostname_lc as sorted from (${fewNames(scope, filter)}) f)`
        : sql`f as materialized (${fewNames(scope, filter)}),
              m as materialized (select f.id, f.hostname_lc, ${column} as sorted from f join ${valued} on d.id = f.id)`;
    const found = isLookedThrough(filter)
      ? ofNames
      : sql`m as materialized (${matches(column)} ${fewMatches(scope, filter, { joins })})`;
    return {
      found: sql`${found},
              p as (select m.* from m where ${behind(sort, after, OF_MATCH)}
                order by ${inOrder(sort, OF_MATCH)} ${windowOf(place)})`,
      total: sql`(select count(*) as total from m)`,
    };
  },

  'one scan': oneScan,
  'beyond a threshold': thresholdPage,

  'part by part': (scope, filter, place) => {
    const { sort, limit, after, offset } = place;
    const { column } = SORT_COLUMNS[sort.key];
    const enough = countLiteral(limit + offset, 1);
    const parts = partsBehind(sort, after);
    const names = parts.map((_, i) => sql`w${countLiteral(i)}`);
    const found = parts.map(({ isPart, order }, i) => {
      // A part is read only if those before it do not fill the page.
      const before = names.slice(0, i).map((name) => sql`(select count(*) from ${name})`);
      const isWanted = i === 0 ? sql`` : sql` and ${before.join(' + ') as Sql} < ${enough}`;
      return sql`${names[i] as Sql} as materialized (${matches(column)} ${matchingDevices(scope, filter)} and ${isPart}${isWanted}
                order by ${order} limit ${enough}),`;
    });
    const all = names.map((name) => sql`select * from ${name}`);
    return {
      found: sql`${found.join(' ') as Sql}
              p as (select m.* from (${all.join(' union all ') as Sql}) m order by ${inOrder(sort, OF_MATCH)} ${windowOf(place)})`,
      total: countOf(scope, filter),
    };
  },
};

interface OrderedPart {
  readonly isPart: Sql;
  readonly order: Sql;
}

function partsBehind(sort: DeviceSort, after: DevicePosition | null): readonly OrderedPart[] {
  return SORT_COLUMNS[sort.key].words.length > 0 ? wordsBehind(sort, after) : namesBehind(sort, after);
}

/** One part for each enumeration value from the position on. Devices without a value come last. */
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

/** Devices with a name, in ascending or descending order, then those without, which are at the end of the index. */
function namesBehind(sort: DeviceSort, after: DevicePosition | null): readonly OrderedPart[] {
  const { column } = SORT_COLUMNS[sort.key];
  const columns = ofDevice(column);
  // The index has only the beginning of each host name. Equal beginnings are sorted, but only until the page is full.
  const order = (direction: Sql) =>
    sql`${column}${direction}, ${sortedName(sql`d.hostname_lc`)}, d.hostname_lc, d.id`;
  const isLastBehind = after?.value === null ? sql` and ${tieBehind(after, columns)}` : sql``;
  const nameless = { isPart: sql`${column} is null${isLastBehind}`, order: order(sql``) };
  if (after?.value === null) return [nameless];
  const isBehind = after === null ? sql`true` : behindAmongValues(sort, after, columns);
  const named = {
    isPart: sql`${column} is not null and ${isBehind}`,
    order: order(sort.isDescending ? sql` desc` : sql``),
  };
  return [named, nameless];
}

function matches(column: Sql): Sql {
  return sql`select d.id, d.hostname_lc, ${column} as sorted`;
}

const OF_MATCH = { sorted: sql`m.sorted`, hostname: sql`m.hostname_lc`, id: sql`m.id` };
const OF_PAGE = { sorted: sql`p.sorted`, hostname: sql`p.hostname_lc`, id: sql`p.id` };

/** What `rowColumns` needs in addition to `matches`. */
const STORED_COLUMNS = sql`, d.org_id, d.site_id, d.hostname, d.display_name, d.status, d.os_type, d.os_version,
  d.device_role, d.last_user, d.tags, d.enrolled_at, d.cpu_percent, d.ram_percent, d.disk_percent,
  d.pending_patches, d.critical_alerts, d.reboot_required`;

/** The columns of `PageRow` that follow the total. */
export function rowColumns(d: Sql): Sql {
  return sql`${d}.id, ${d}.org_id, ${d}.site_id, ${d}.hostname, ${d}.display_name, ${d}.status, ${d}.os_type,
  ${d}.os_version, ${d}.device_role, ${d}.last_user, to_json(${d}.tags),
  ${lastSeenMs(d)}, (extract(epoch from ${d}.enrolled_at) * 1000)::int8,
  ${d}.cpu_percent, ${d}.ram_percent, ${d}.disk_percent, ${d}.pending_patches > 0, ${d}.critical_alerts > 0,
  ${d}.reboot_required`;
}
