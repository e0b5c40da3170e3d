/** Pages of the devices that match a filter, in any order (Contract: §10). */
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CompiledFilter } from './filter-to-sql.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import { behind, inOrder, SORT_COLUMNS } from './page-order.ts';
import { countedRows, matchingDevices, type PreviewShape } from './preview-query.ts';

/** What a page is, beside its filter. */
export type DevicePlace = Pick<DevicePageRequest, 'sort' | 'limit' | 'after' | 'offset' | 'withCount'>;

/** See `ScopedStatement.devicePage`. Rows are fetched by id at the end, so that what is sorted is narrow. */
export function devicePageQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  place: DevicePlace,
  shape: PreviewShape,
): Sql {
  const { sort, after, offset, withCount } = place;
  const { column } = SORT_COLUMNS[sort.key];
  const matches = sql`select d.id, d.hostname_lc, ${column} as sorted ${matchingDevices(scope, filter)}`;
  const size = sql`limit ${countLiteral(place.limit, 1)} offset ${countLiteral(offset)}`;
  const [found, counted] =
    shape === 'split'
      ? [
          sql`p as (${matches} and ${behind(sort, after, OF_DEVICE(column))}
                order by ${inOrder(sort, OF_DEVICE(column))} ${size})`,
          sql`(select count(*) as total ${countedRows(scope, filter)})`,
        ]
      : [
          sql`m as materialized (${matches}),
              p as (select m.* from m where ${behind(sort, after, OF_MATCH)} order by ${inOrder(sort, OF_MATCH)} ${size})`,
          sql`(select count(*) as total from m)`,
        ];
  return sql`with ${found} select c.total, ${ROW_COLUMNS}
              from ${withCount ? counted : sql`(select null::int8 as total)`} c
              left join (p join device d on d.id = p.id) on true order by ${inOrder(sort, OF_PAGE)}`;
}

const OF_DEVICE = (sorted: Sql) => ({ sorted, hostname: sql`d.hostname_lc`, id: sql`d.id` });
const OF_MATCH = { sorted: sql`m.sorted`, hostname: sql`m.hostname_lc`, id: sql`m.id` };
const OF_PAGE = { sorted: sql`p.sorted`, hostname: sql`p.hostname_lc`, id: sql`p.id` };

/** What lists show of the device `d`, as `toDeviceRow` reads it. */
const ROW_COLUMNS = sql`d.id, d.org_id, d.site_id, d.hostname, d.display_name, d.status, d.os_type, d.os_version,
  d.device_role, d.last_user, to_json(d.tags), (extract(epoch from d.last_seen_at) * 1000)::int8,
  (extract(epoch from d.enrolled_at) * 1000)::int8, d.cpu_percent, d.ram_percent, d.disk_percent,
  d.pending_patches > 0, d.critical_alerts > 0, d.reboot_required`;
