/** Pages of the devices that match a filter, in any order (Contract: §10). */
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import type { CompiledFilter } from './filter-to-sql.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import { behind, behindAmongValues, inOrder, SORT_COLUMNS, sortedName, tieBehind } from './page-order.ts';
import {
  type CountedShape,
  countedRows,
  fewMatches,
  matchingDevices,
  volatileRows,
} from './preview-query.ts';

/** What a page is, beside its filter. */
export type DevicePlace = Pick<DevicePageRequest, 'sort' | 'limit' | 'after' | 'offset' | 'withCount'>;

/**
 * How a page and its count are found, beside the ways of previews. `one scan` counts and at the same time collects
 * what lies beyond a threshold, which a sample gives: for a first page in an order that no index has. It may give
 * fewer devices than there are. `part by part` asks for each value of an enumeration in turn, by host name, or for the
 * devices that have a name and then for the others, as an index has them: for many matches.
 */
export type DevicePageShape = CountedShape | 'one scan' | 'part by part';

/** See `ScopedStatement.devicePage`. Rows are fetched by id at the end, so that what is sorted is narrow. */
export function devicePageQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  place: DevicePlace,
  shape: DevicePageShape,
): Sql {
  const { found, total } = PARTS[shape](scope, filter, place);
  return sql`with ${found} select c.total, ${ROW_COLUMNS}
              from ${place.withCount ? total : sql`(select null::int8 as total)`} c
              left join (p join device d on d.id = p.id) on true order by ${inOrder(place.sort, OF_PAGE)}`;
}

interface PageParts {
  /** Common table expressions, of which `p` has the page: rows of (id, hostname_lc, sorted). */
  readonly found: Sql;
  /** What is a row of (total). */
  readonly total: Sql;
}

type MakeParts = (scope: AccessScope, filter: CompiledFilter, place: DevicePlace) => PageParts;

const PARTS: Readonly<Record<DevicePageShape, MakeParts>> = {
  split: (scope, filter, place) => {
    const { sort, after } = place;
    const { column } = SORT_COLUMNS[sort.key];
    return {
      found: sql`p as (${matches(column)} ${matchingDevices(scope, filter)} and ${behind(sort, after, ofDevice(column))}
                order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)})`,
      total: countOf(scope, filter),
    };
  },

  materialized: (scope, filter, place) => {
    const { sort, after } = place;
    return {
      found: sql`m as materialized (${matches(SORT_COLUMNS[sort.key].column)} ${fewMatches(scope, filter)}),
              p as (select m.* from m where ${behind(sort, after, OF_MATCH)}
                order by ${inOrder(sort, OF_MATCH)} ${windowOf(place)})`,
      total: sql`(select count(*) as total from m)`,
    };
  },

  'one scan': (scope, filter, place) => {
    const { sort } = place;
    const { column } = SORT_COLUMNS[sort.key];
    const [direction, isBeyond] = sort.isDescending ? [sql` desc`, sql`>`] : [sql``, sql`<`];
    return {
      found: sql`t as materialized (select ${column} as sorted ${volatileRows(scope, filter, SAMPLED_PERCENT)}
                and ${column} is not null order by 1${direction} offset ${countLiteral(sampledRank(place))} limit 1),
              c as materialized (select count(*) as total, array_agg(d.id) filter (
                where ${column} ${isBeyond} (select t.sorted from t)) as ids ${volatileRows(scope, filter)}),
              p as (${matches(column)} from c cross join unnest(c.ids) i(id) join device d on d.id = i.id
                order by ${inOrder(sort, ofDevice(column))} ${windowOf(place)})`,
      total: sql`c`,
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

/** How much of the devices is looked at for a threshold. */
const SAMPLED_PERCENT = 1;

/** The place of the threshold in the sample: far enough for some hundred devices more than the page has. */
function sampledRank({ limit, offset }: DevicePlace): number {
  return 5 + Math.ceil((2 * (limit + offset) * SAMPLED_PERCENT) / 100);
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
const OF_MATCH = { sorted: sql`m.sorted`, hostname: sql`m.hostname_lc`, id: sql`m.id` };
const OF_PAGE = { sorted: sql`p.sorted`, hostname: sql`p.hostname_lc`, id: sql`p.id` };

/** What lists show of the device `d`, as `PageRow` has it. */
const ROW_COLUMNS = sql`d.id, d.org_id, d.site_id, d.hostname, d.display_name, d.status, d.os_type, d.os_version,
  d.device_role, d.last_user, to_json(d.tags), (extract(epoch from d.last_seen_at) * 1000)::int8,
  (extract(epoch from d.enrolled_at) * 1000)::int8, d.cpu_percent, d.ram_percent, d.disk_percent,
  d.pending_patches > 0, d.critical_alerts > 0, d.reboot_required`;
