import { type Join, valueColumn } from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { assertNever } from '#domain/assert-never.ts';
import type {
  ExportColumn,
  ListColumnKey,
  OwnColumnKey,
  ValueColumn,
  VersionsColumn,
} from '#domain/export/export-column.ts';
import { joinedTables, matchingDevices } from './preview-query.ts';

/**
 * Rows with a value for each column, in the default order of devices. Instants are epoch milliseconds, and lists are
 * JSON.
 */
export function exportQuery(
  scope: AccessScope,
  filter: CompiledFilter,
  columns: readonly ExportColumn[],
): Sql {
  const values = columns.map(columnSql).join(', ') as Sql;
  const joins = joinsOf(columns);
  const owners = ownersOf(columns);
  // Sorting few matches is faster than walking all devices in order.
  return filter.looksSelective
    ? sql`with m as materialized (select d.id ${matchingDevices(scope, filter)})
        select ${values} from m join device d on d.id = m.id${joinedTables(scope, joins)}${owners}
        order by d.hostname_lc, d.id`
    : sql`select ${values} ${matchingDevices(scope, filter, { joins, others: owners })}
        order by d.hostname_lc, d.id`;
}

/** `values` begins with a comma. */
export function furtherColumns(
  scope: AccessScope,
  columns: readonly ExportColumn[],
): { readonly values: Sql; readonly joins: Sql } {
  return {
    values: columns.map((column) => sql`, ${columnSql(column)}`).join('') as Sql,
    joins: sql`${joinedTables(scope, joinsOf(columns))}${ownersOf(columns)}`,
  };
}

function columnSql(column: ExportColumn): Sql {
  switch (column.reads) {
    case 'value':
      return valueSql(column);
    case 'list':
      return LISTS[column.key];
    case 'versions':
      return versionsSql(column);
    case 'own':
      return OWN_COLUMNS[column.key].value;
    default:
      return assertNever(column);
  }
}

function valueSql({ field, holds }: ValueColumn): Sql {
  const { value, instants } = valueColumn(field);
  const isInstant = holds === 'instant' || holds === 'elapsedDays';
  // `extract` would compute in `numeric`, which takes longer than the rest of the column.
  return isInstant && instants === 'timestamptz' ? sql`(date_part('epoch', ${value}) * 1000)::int8` : value;
}

/** For an empty list, the value is NULL or `[]`. */
const LISTS: Readonly<Record<ListColumnKey, Sql>> = {
  tags: sql`array_to_json(d.tags)`,
  'tags.name': sql`array_to_json(d.tags)`,
  'network.ipAddress': networkList(sql`n.ip_address`),
  'network.publicIp': networkList(sql`n.public_ip`),
  'network.macAddress': networkList(sql`n.mac_address`),
  'software.installed': sql`(select json_agg(t.name order by t.name) from device_software w
    join software_title t on t.id = any(w.title_ids) where w.device_id = d.id)`,
  'patches.pendingTitle': titlesList(sql`pending`),
  'patches.failedTitle': titlesList(sql`failed`),
};

function titlesList(status: Sql): Sql {
  return sql`(select json_agg(distinct p.title) from patch p where p.device_id = d.id and p.status = '${status}')`;
}

function networkList(column: Sql): Sql {
  return sql`(select json_agg(${column} order by n.position) from device_network n
    where n.device_id = d.id and ${column} is not null)`;
}

function versionsSql({ foldedTitle }: VersionsColumn): Sql {
  return sql`(select json_agg(v.version order by t.name, v.version_key nulls first, v.version) from device_software w
    join software_title t on t.id = any(w.title_ids)
    join software_version v on v.title_id = t.id and v.id = any(w.title_ids)
    where w.device_id = d.id and t.name_lc = ${textLiteral(foldedTitle)} collate "C")`;
}

interface OwnColumnSql {
  readonly value: Sql;
  readonly join: Sql;
}

const OWN_COLUMNS: Readonly<Record<OwnColumnKey, OwnColumnSql>> = {
  organization: { value: sql`o.name`, join: sql` left join organization o on o.id = d.org_id` },
  site: {
    value: sql`l.name`,
    join: sql` left join site l on l.id = d.site_id and l.org_id = d.org_id`,
  },
};

function ownersOf(columns: readonly ExportColumn[]): Sql {
  const joins = columns.flatMap((column) => (column.reads === 'own' ? OWN_COLUMNS[column.key].join : []));
  return joins.join('') as Sql;
}

function joinsOf(columns: readonly ExportColumn[]): ReadonlySet<Join> {
  return new Set(
    columns.flatMap((column) => (column.reads === 'value' ? (valueColumn(column.field).join ?? []) : [])),
  );
}
