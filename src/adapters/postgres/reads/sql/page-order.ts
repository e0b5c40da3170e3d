/** The orders of `positionOrder` in the database, and what comes behind a place in them (Contract: §10). */
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import type { DevicePosition, DeviceSort, DeviceSortKey } from '#domain/device/device-sort.ts';
import { SORTED_NAME_LENGTH } from '#domain/text/sorted-name.ts';
import {
  countLiteral,
  instantLiteral,
  numberLiteral,
  type Sql,
  sql,
  textLiteral,
  uuidLiteral,
} from './literal.ts';

/** What devices are sorted by. */
interface SortColumn {
  readonly column: Sql;
  readonly literal: (value: string | number) => Sql;
  readonly isNullable: boolean;
  /** The values of an enumeration, in order; none for other types. */
  readonly words: readonly string[];
}

/** Enumerations sort in the order in which their types list the words, which is that of the domain. */
export const SORT_COLUMNS: Readonly<Record<DeviceSortKey, SortColumn>> = {
  hostname: { ...text(sql`d.hostname_lc`), isNullable: false },
  displayName: text(
    sql`left(coalesce(d.display_name_lc, d.display_name collate "C"), ${countLiteral(SORTED_NAME_LENGTH)})`,
  ),
  status: { ...word(sql`d.status`, sql`device_status`, DEVICE_STATUSES), isNullable: false },
  osType: word(sql`d.os_type`, sql`os_type`, OS_TYPES),
  deviceRole: { ...word(sql`d.device_role`, sql`device_role`, DEVICE_ROLES), isNullable: false },
  lastSeenAt: instant(sql`d.last_seen_at`),
  enrolledAt: instant(sql`d.enrolled_at`),
  'metrics.cpuPercent': number(sql`d.cpu_percent`),
  'metrics.ramPercent': number(sql`d.ram_percent`),
  'metrics.diskPercent': number(sql`d.disk_percent`),
};

/** Where the parts of a position are. */
export interface PositionColumns {
  readonly sorted: Sql;
  readonly hostname: Sql;
  readonly id: Sql;
}

/** The list of ORDER BY. An index on (hostname_lc, id) gives the default order. */
export function inOrder({ key, isDescending }: DeviceSort, { sorted, hostname, id }: PositionColumns): Sql {
  const direction = isDescending ? sql` desc` : sql``;
  if (key === 'hostname') return sql`${hostname}${direction}, ${id}`;
  const missing = SORT_COLUMNS[key].isNullable ? sql` nulls last` : sql``;
  return sql`${sorted}${direction}${missing}, ${hostname}, ${id}`;
}

/** That a device comes behind the place; an index that gives the order begins to read there. */
export function behind(sort: DeviceSort, after: DevicePosition | null, columns: PositionColumns): Sql {
  if (after === null) return sql`true`;
  const { literal, isNullable } = SORT_COLUMNS[sort.key];
  const { sorted, hostname, id } = columns;
  const place = sql`(${textLiteral(after.hostname)} collate "C", ${uuidLiteral(after.id)})`;
  const isTieBehind = sql`(${hostname}, ${id}) > ${place}`;
  if (sort.key === 'hostname' && !sort.isDescending) return isTieBehind;
  if (after.value === null) return sql`(${sorted} is null and ${isTieBehind})`;
  const value = literal(after.value);
  const operator = sort.isDescending ? sql`<` : sql`>`;
  const isBehind = sql`${sorted} ${operator}= ${value} and (${sorted} ${operator} ${value} or ${isTieBehind})`;
  return isNullable ? sql`(${isBehind} or ${sorted} is null)` : sql`(${isBehind})`;
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

function nullable(column: Sql): Pick<SortColumn, 'column' | 'isNullable' | 'words'> {
  return { column, isNullable: true, words: [] };
}
