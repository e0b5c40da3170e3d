/** What a device has in a field, as JSON for `toActual` (Contract: §12); the columns are those that conditions read. */
import {
  type Join,
  listColumn,
  rowsColumn,
  type ValueColumn,
  valueColumn,
} from '#adapters/postgres/reads/sql/conditions/device-columns.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { RowsFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { MAX_ACTUAL_VALUES } from '#domain/filter/evaluate/read-field.ts';

export interface ActualColumn {
  /** JSON of the device `d`; NULL where the value is missing. */
  readonly json: Sql;
  /** The table that it needs in addition. */
  readonly join: Join | null;
}

export function actualColumn(field: FilterField): ActualColumn {
  switch (field.reads) {
    case 'value': {
      const column = valueColumn(field);
      return { json: sql`to_json(${heldValue(column)})`, join: column.join };
    }
    case 'rows':
      return { json: rowsJson(field.source.key), join: null };
    case 'list':
      return { json: sql`to_json(${listColumn(field)}[1:${LIMIT}])`, join: null };
    case 'software':
      return { json: SOFTWARE_JSON, join: null };
  }
}

const LIMIT = countLiteral(MAX_ACTUAL_VALUES);

/** Instants in epoch milliseconds, whichever way they are stored. */
function heldValue({ value, type, instants }: ValueColumn): Sql {
  return type === 'timestamptz' && instants === 'timestamptz'
    ? sql`(extract(epoch from ${value}) * 1000)::int8`
    : value;
}

function rowsJson(key: RowsFieldKey): Sql {
  if (key === 'tags.name') return sql`case when d.tags <> '{}' then to_json(d.tags[1:${LIMIT}]) end`;
  const { value } = rowsColumn(key).row;
  return sql`(select json_agg(a.value order by a.position) from (
    select n.position, ${value} as value from device_network n
    where n.device_id = d.id and ${value} is not null order by n.position limit ${LIMIT}) a)`;
}

const SOFTWARE_JSON = sql`coalesce((select json_agg(a.name order by a.name) from (
    select t.name from device_software i join software_title t on t.id = any(i.title_ids)
    where i.device_id = d.id order by t.name limit ${LIMIT}) a), '[]')`;
