/** Writes the orders of `positionOrder` as SQL (Contract: §10). */
import type { Join } from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import {
  countLiteral,
  instantLiteral,
  numberLiteral,
  type Sql,
  sql,
  textLiteral,
  uuidLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { DevicePageRequest } from '#application/ports/fleet/device-reader.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import type { DevicePosition, DeviceSort, DeviceSortKey } from '#domain/device/device-sort.ts';
import { SORTED_NAME_LENGTH } from '#domain/text/fold-case.ts';

interface SortColumn {
  readonly column: Sql;
  readonly literal: (value: string | number) => Sql;
  readonly isNullable: boolean;
  readonly words: readonly string[];
  /** Whether indexes have the values in order. */
  readonly isIndexed: boolean;
  /** The tables to join to `device d`. */
  readonly joins: ReadonlySet<Join>;
}

/** PostgreSQL sorts enumeration values in the order of their declaration, which is also their order in the domain. */
export const SORT_COLUMNS: Readonly<Record<DeviceSortKey, SortColumn>> = {
  hostname: { ...text(sql`d.hostname_lc`), isNullable: false, isIndexed: true },
  displayName: {
    ...text(sortedName(sql`coalesce(d.display_name_lc, d.display_name collate "C")`)),
    isIndexed: true,
  },
  status: { ...word(sql`d.status`, sql`device_status`, DEVICE_STATUSES), isNullable: false },
  osType: word(sql`d.os_type`, sql`os_type`, OS_TYPES),
  deviceRole: { ...word(sql`d.device_role`, sql`device_role`, DEVICE_ROLES), isNullable: false },
  lastSeenAt: { ...instant(sql`z.last_seen_at`), joins: new Set(['state']) },
  enrolledAt: instant(sql`d.enrolled_at`),
  'metrics.cpuPercent': number(sql`d.cpu_percent`),
  'metrics.ramPercent': number(sql`d.ram_percent`),
  'metrics.diskPercent': number(sql`d.disk_percent`),
};

export interface PositionColumns {
  readonly sorted: Sql;
  readonly hostname: Sql;
  readonly id: Sql;
}

export function ofDevice(sorted: Sql): PositionColumns {
  return { sorted, hostname: sql`d.hostname_lc`, id: sql`d.id` };
}

export function windowOf({ limit, offset }: Pick<DevicePageRequest, 'limit' | 'offset'>): Sql {
  return sql`limit ${countLiteral(limit, 1)} offset ${countLiteral(offset)}`;
}

export function inOrder({ key, isDescending }: DeviceSort, { sorted, hostname, id }: PositionColumns): Sql {
  if (key === 'hostname') return sql`${hostname}${isDescending ? sql` desc` : sql``}, ${id}`;
  return sql`${inOrderOfValues({ key, isDescending }, sorted)}, ${hostname}, ${id}`;
}

/** The order by value without the tie-breaks. The sort key must not be the host name. */
export function inOrderOfValues({ key, isDescending }: DeviceSort, sorted: Sql): Sql {
  const missing = SORT_COLUMNS[key].isNullable ? sql` nulls last` : sql``;
  return sql`${sorted}${isDescending ? sql` desc` : sql``}${missing}`;
}

/** True for devices after the position. An index scan in this order can start there. */
export function behind(sort: DeviceSort, after: DevicePosition | null, columns: PositionColumns): Sql {
  if (after === null) return sql`true`;
  const { sorted } = columns;
  if (after.value === null) return sql`(${sorted} is null and ${tieBehind(after, columns)})`;
  const isBehind = behindAmongValues(sort, after, columns);
  return SORT_COLUMNS[sort.key].isNullable ? sql`(${isBehind} or ${sorted} is null)` : sql`(${isBehind})`;
}

/** True for devices whose value equals that of the position or comes after it. `after` must have a value. */
export function notBefore({ key, isDescending }: DeviceSort, after: DevicePosition | null, sorted: Sql): Sql {
  if (after === null) return sql`true`;
  if (after.value === null) throw new Error('devices after a missing value are not ordered by value');
  return sql`${sorted} ${isDescending ? sql`<=` : sql`>=`} ${SORT_COLUMNS[key].literal(after.value)}`;
}

/** Like `behind`, for devices that have a value. `after` must have one too. */
export function behindAmongValues(sort: DeviceSort, after: DevicePosition, columns: PositionColumns): Sql {
  const isTieBehind = tieBehind(after, columns);
  if (after.value === null || (sort.key === 'hostname' && !sort.isDescending)) return isTieBehind;
  const { sorted } = columns;
  const value = SORT_COLUMNS[sort.key].literal(after.value);
  const operator = sort.isDescending ? sql`<` : sql`>`;
  return sql`${sorted} ${operator}= ${value} and (${sorted} ${operator} ${value} or ${isTieBehind})`;
}

export function tieBehind(after: DevicePosition, { hostname, id }: PositionColumns): Sql {
  return sql`(${hostname}, ${id}) > (${textLiteral(after.hostname)} collate "C", ${uuidLiteral(after.id)})`;
}

/** Lists are sorted by this part of a folded name. Indexes have the same expression. */
export function sortedName(folded: Sql): Sql {
  return sql`left(${folded}, ${countLiteral(SORTED_NAME_LENGTH)})`;
}

function text(column: Sql): SortColumn {
  return { ...nullable(column), literal: (value) => sql`${textLiteral(String(value))} collate "C"` };
}

function word(column: Sql, type: Sql, words: readonly string[]): SortColumn {
  return { ...nullable(column), literal: (value) => sql`${textLiteral(String(value))}::${type}`, words };
}

function instant(column: Sql): SortColumn {
  return { ...nullable(column), literal: (value) => instantLiteral(Number(value)) };
}

function number(column: Sql): SortColumn {
  return { ...nullable(column), literal: (value) => numberLiteral(Number(value)) };
}

function nullable(column: Sql): Pick<SortColumn, 'column' | 'isNullable' | 'words' | 'isIndexed' | 'joins'> {
  return { column, isNullable: true, words: [], isIndexed: false, joins: new Set() };
}
