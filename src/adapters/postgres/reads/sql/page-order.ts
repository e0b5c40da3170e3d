/** The orders of `positionOrder` in the database, and what comes behind a place in them (Contract: §10). */
import {
  type DevicePosition,
  type DeviceSort,
  type DeviceSortKey,
  SORTED_NAME_LENGTH,
  type SortValue,
} from '#domain/device/device-sort.ts';
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
}

/** Enumerations sort in the order in which their types list the words, which is that of the domain. */
export const SORT_COLUMNS: Readonly<Record<DeviceSortKey, SortColumn>> = {
  hostname: { column: sql`d.hostname_lc`, literal: bytewise, isNullable: false },
  displayName: {
    column: sql`left(coalesce(d.display_name_lc, d.display_name collate "C"), ${countLiteral(SORTED_NAME_LENGTH)})`,
    literal: bytewise,
    isNullable: true,
  },
  status: { column: sql`d.status`, literal: word(sql`device_status`), isNullable: false },
  osType: { column: sql`d.os_type`, literal: word(sql`os_type`), isNullable: true },
  deviceRole: { column: sql`d.device_role`, literal: word(sql`device_role`), isNullable: false },
  lastSeenAt: { column: sql`d.last_seen_at`, literal: instant, isNullable: true },
  enrolledAt: { column: sql`d.enrolled_at`, literal: instant, isNullable: true },
  'metrics.cpuPercent': { column: sql`d.cpu_percent`, literal: number, isNullable: true },
  'metrics.ramPercent': { column: sql`d.ram_percent`, literal: number, isNullable: true },
  'metrics.diskPercent': { column: sql`d.disk_percent`, literal: number, isNullable: true },
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
  const { column: _, literal, isNullable } = SORT_COLUMNS[sort.key];
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

function bytewise(value: SortValue): Sql {
  return sql`${textLiteral(String(value))} collate "C"`;
}

function word(type: Sql): SortColumn['literal'] {
  return (value) => sql`${textLiteral(String(value))}::${type}`;
}

function instant(value: SortValue): Sql {
  return instantLiteral(Number(value));
}

function number(value: SortValue): Sql {
  return numberLiteral(Number(value));
}
