import type { Join } from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import {
  type CompiledFilter,
  isCompiledFilter,
} from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NARROW_ROWS, OWN_STATE } from '#adapters/postgres/reads/sql/conditions/narrow-tables.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { MAX_LISTED } from '#domain/device/device-row.ts';

/**
 * `split` finds the count and the page separately, which is best for many matches. `materialized` finds the matches
 * once, which is best for few, or if evaluating the filter costs more than finding devices.
 */
export type CountedShape = 'split' | 'materialized';

/**
 * `windowed` reads whole rows once and counts them on the way, which is best for very few matches. Before
 * PostgreSQL 17, the planner wrongly expects to stop after a page, so it walks all devices in order.
 */
export type PreviewShape = CountedShape | 'windowed';

/**
 * Rows of (total, id, hostname, display name, OS type, status, last seen in epoch milliseconds). No match gives one row
 * with a NULL id, or no row.
 */
export function previewQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  limit: number,
  shape: PreviewShape,
): Sql {
  const size = countLiteral(limit, 1);
  switch (shape) {
    case 'split':
      return sql`with p as (select ${PAGE_COLUMNS} ${matchingDevices(scope, filter)} order by d.hostname_lc, d.id limit ${size})
              select c.total, ${answerColumns(sql`p`)} from ${countOf(scope, filter)} c
              left join p on true order by p.hostname_lc, p.id`;
    case 'materialized':
      return sql`with m as materialized (${fewNames(scope, filter)}),
              p as (select id, hostname_lc from m order by hostname_lc, id limit ${size})
              select c.total, ${answerColumns(sql`d`)} from (select count(*) as total from m) c
              left join (p join device d on d.id = p.id) on true order by p.hostname_lc, p.id`;
    case 'windowed':
      return sql`select count(*) over () as total, ${answerColumns(sql`d`)} ${fewMatches(scope, filter)}
              order by d.hostname_lc, d.id limit ${size}`;
  }
}

const PAGE_COLUMNS = sql`d.id, d.hostname, d.display_name, d.os_type, d.status, d.hostname_lc`;

/** These columns belong outside the LIMIT. Inside it, they would be computed for every match. */
function answerColumns(table: Sql): Sql {
  return sql`${table}.id, ${table}.hostname, ${table}.display_name, ${table}.os_type, ${table}.status,
              ${lastSeenMs(table)}`;
}

export function lastSeenMs(d: Sql): Sql {
  return sql`(select (extract(epoch from z.last_seen_at) * 1000)::int8 from device_state z where z.id = ${d}.id)`;
}

interface JoinedTable {
  readonly table: Sql;
  readonly alias: Sql;
  readonly id: Sql;
}

const JOINED_TABLES: Readonly<Record<Join, JoinedTable>> = {
  hardware: { table: sql`device_hardware`, alias: sql`h`, id: sql`device_id` },
  software: { table: sql`device_software`, alias: sql`s`, id: sql`device_id` },
  state: { table: sql`device_state`, alias: sql`z`, id: sql`id` },
};

export interface AlsoJoined {
  readonly joins: ReadonlySet<Join>;
  readonly others?: Sql;
}

const NOTHING_ELSE: AlsoJoined = { joins: new Set() };

/** FROM and WHERE of the matching devices `d` in scope. */
export function matchingDevices(
  scope: AccessScope,
  filter: CompiledFilter,
  { joins: alsoJoined, others }: AlsoJoined = NOTHING_ELSE,
): Sql {
  const { condition, joins } = genuine(filter);
  return sql`${devicesInScope(scope, joins.union(alsoJoined), others)} and (${condition})`;
}

/**
 * FROM and WHERE of the matching rows `d` of `device_state`; the filter must read nothing else. `isScanned`
 * avoids indexes.
 */
export function matchingStates(
  scope: AccessScope,
  filter: CompiledFilter,
  way: { readonly isScanned?: boolean } = {},
): Sql {
  return sql`${statesInScope(scope)} and ${stateCondition(filter, way)}`;
}

/**
 * FROM and WHERE of a sample of `device_state`, or of the matches in it. The sample is a percentage of the
 * table's pages, drawn anew each time.
 */
export function sampledStates(scope: AccessScope, filter: CompiledFilter | null, percent: number): Sql {
  return sql`from device_state d tablesample system (${countLiteral(percent, 1)})${OWN_STATE}
    where ${scopeCondition(scope, sql`d.org_id`)} and ${filter === null ? sql`true` : stateCondition(filter)}`;
}

export function stateCondition(
  filter: CompiledFilter,
  { isScanned = false }: { readonly isScanned?: boolean } = {},
): Sql {
  if (filter.narrow !== 'state') throw new Error('the filter reads more than the states of devices');
  return sql`(${genuine(filter).condition})${isScanned ? sql` is true` : sql``}`;
}

/** FROM and WHERE of the devices in scope, with these tables joined. */
export function devicesInScope(scope: AccessScope, joins: ReadonlySet<Join>, others: Sql = sql``): Sql {
  return sql`from device d${joinedTables(scope, joins)}${others} where ${scopeCondition(scope, sql`d.org_id`)}`;
}

/** FROM and WHERE of the states `d` of all devices in scope. */
export function statesInScope(scope: AccessScope): Sql {
  return sql`from ${NARROW_ROWS.state.table} where ${scopeCondition(scope, sql`d.org_id`)}`;
}

export function joinedTables(scope: AccessScope, joins: ReadonlySet<Join>): Sql {
  const joined = [...joins].map((join) => {
    const { table, alias, id } = JOINED_TABLES[join];
    // With the scope on both tables, PostgreSQL can use an index of either.
    return sql` left join ${table} ${alias} on ${alias}.${id} = d.id and ${scopeCondition(scope, sql`${alias}.org_id`)}`;
  });
  return joined.join('') as Sql;
}

/** `rows` is FROM and WHERE with one row per match, on `device` or a narrow table. `id` is the device's id in a row. */
export function countedRows(
  scope: AccessScope,
  filter: CompiledFilter,
): { readonly rows: Sql; readonly id: Sql } {
  if (filter.narrow === null) return { rows: matchingDevices(scope, filter), id: sql`d.id` };
  const { table, orgId, id } = NARROW_ROWS[filter.narrow];
  return {
    rows: sql`from ${table} where ${scopeCondition(scope, orgId)} and (${genuine(filter).condition})`,
    id,
  };
}

/** Like `matchingDevices`, for few expected matches. If only a scan can find them, it scans narrow rows. */
export function fewMatches(scope: AccessScope, filter: CompiledFilter, also: AlsoJoined = NOTHING_ELSE): Sql {
  if (filter.narrow !== 'state' || filter.namesFlagOrStatus) return matchingDevices(scope, filter, also);
  const { joins } = also;
  return sql`from (select d.id ${countedRows(scope, filter).rows}) f join device d on d.id = f.id${joinedTables(scope, joins)}`;
}

/** Rows of (id, hostname_lc), found by the fastest way for few matches. */
export function fewNames(scope: AccessScope, filter: CompiledFilter): Sql {
  const names = sql`select d.id, d.hostname_lc`;
  const { condition, ranges } = genuine(filter);
  if (ranges.length === 0) return sql`${names} ${fewMatches(scope, filter)}`;
  const parts = ranges.map(
    (range) => sql`(${names} ${devicesInScope(scope, filter.joins)} and (${range} and (${condition})))`,
  );
  return parts.join(' union all ') as Sql;
}

export function countOf(scope: AccessScope, filter: CompiledFilter): Sql {
  return sql`(select count(*) as total ${countedRows(scope, filter).rows})`;
}

/** Throws on SQL from elsewhere, which could close the parentheses around it. */
export function genuine(filter: CompiledFilter): CompiledFilter {
  if (!isCompiledFilter(filter)) throw new Error('only compiled filters are put into statements');
  return filter;
}

/** At most one `DeviceDetailsRow`, for the device `$1` (Contract: §10), with lists in the port's order. */
export function deviceById(scope: AccessScope): Sql {
  return sql`select d.id, d.org_id, d.site_id, d.hostname, d.display_name, d.status::text, d.os_type::text, d.os_version,
      d.os_build, d.architecture::text, d.agent_version, d.enrolled_at, z.last_seen_at, d.last_seen_ip, d.tags,
      d.device_role::text, d.last_user, d.is_headless, d.uptime_seconds, d.watchdog_status::text, d.quarantined_at,
      d.reboot_required, d.cpu_percent, d.ram_percent, d.disk_percent, d.custom, d.pending_patches, d.critical_alerts,
      d.patches_reported,
      h.manufacturer, h.model, h.serial_number, h.cpu_model, h.gpu_model, h.cpu_cores, h.ram_total_mb, h.disk_total_gb,
      o.name as organization_name, w.name as site_name,
      ${listed(
        sql`json_build_object('ipAddress', n.ip_address, 'publicIp', n.public_ip, 'macAddress', n.mac_address)`,
        sql`device_network n where n.device_id = d.id`,
        sql`n.position`,
      )} as network,
      ${listed(
        sql`json_build_object('name', v.name, 'filesystem', v.filesystem, 'totalGb', v.total_gb, 'freeGb', v.free_gb)`,
        sql`device_volume v where v.device_id = d.id`,
        sql`v.position`,
      )} as volumes,
      ${listed(
        sql`json_build_object('name', t.name, 'version', v.version)`,
        sql`device_software s cross join unnest(s.title_ids) i(id) left join software_version v on v.id = i.id
          join software_title t on t.id = coalesce(v.title_id, i.id)
          where s.device_id = d.id and (v.id is not null or not exists (
            select from software_version o where o.title_id = i.id and o.id = any(s.title_ids)))`,
        sql`t.name, v.version_key nulls first, v.version`,
      )} as software,
      ${listed(
        sql`json_build_object('title', p.title, 'status', p.status)`,
        sql`patch p where p.device_id = d.id`,
        sql`p.title collate "C", p.status`,
      )} as patches,
      ${listed(
        sql`json_build_object('id', a.id, 'title', a.title, 'message', a.message, 'severity', a.severity,
          'status', a.status, 'createdAt', floor(extract(epoch from a.created_at) * 1000))`,
        sql`alert a where a.device_id = d.id and a.status = 'active'`,
        sql`a.severity, a.id`,
      )} as alerts
    from device d join device_state z on z.id = d.id join organization o on o.id = d.org_id left join site w on w.id = d.site_id
    left join device_hardware h on h.device_id = d.id
    where ${scopeCondition(scope, sql`d.org_id`)} and d.id = $1::uuid`;
}

/** A JSON object with the first `MAX_LISTED` items and the number of all rows. */
function listed(item: Sql, rows: Sql, order: Sql): Sql {
  return sql`(select json_build_object('total', coalesce(max(l.total), 0),
      'first', coalesce(json_agg(l.item order by l.place), '[]'))
    from (select ${item} as item, count(*) over () as total, row_number() over (order by ${order}) as place
      from ${rows} order by place limit ${countLiteral(MAX_LISTED)}) l)`;
}
