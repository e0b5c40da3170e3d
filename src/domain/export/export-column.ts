/**
 * The columns of an export: every field, the device's id, and the names of its organization and site (Contract: §10).
 */
import { assertNever } from '#domain/assert-never.ts';
import type { ListFieldKey, RowsFieldKey, ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { FilterField, ValueField } from '#domain/filter/catalog/field-catalog.ts';

/** The source of a column: a field's value, a field's list, or a name or id of the device. */
export type ExportColumn = ValueColumn | ListColumn | OwnColumn;

/** A column with at most one value per device. */
export interface ValueColumn {
  readonly reads: 'value';
  readonly key: string;
  readonly field: ValueField;
  /** `elapsedDays` is read as the instant that days are counted from. */
  readonly holds: 'text' | 'number' | 'boolean' | 'instant' | 'elapsedDays';
}

/** A column with a list of texts per device. */
export interface ListColumn {
  readonly reads: 'list';
  readonly key: ListColumnKey;
  readonly holds: 'list';
}

/** Fields with several values per device. */
export type ListColumnKey = ListFieldKey | RowsFieldKey | 'software.installed';

/** Columns that no filter reads. */
export interface OwnColumn {
  readonly reads: 'own';
  readonly key: OwnColumnKey;
  readonly holds: 'text';
}

/** orgId and siteId are fields, so they are not here. */
export const OWN_COLUMN_KEYS = ['id', 'organization', 'site'] as const;
export type OwnColumnKey = (typeof OWN_COLUMN_KEYS)[number];

/** A list is never null. Instants, and elapsed days, are epoch milliseconds. */
export type ExportValue = string | number | boolean | null | readonly string[];

/** One value per column, in column order. */
export type ExportRow = readonly ExportValue[];

/** A column for `id`, `organization` or `site`. */
export function ownColumn(key: OwnColumnKey): OwnColumn {
  return { reads: 'own', key, holds: 'text' };
}

/** The field's column; null for `software.notInstalled`, which has no values. */
export function fieldColumn(field: FilterField): ExportColumn | null {
  switch (field.reads) {
    case 'value':
      return { reads: 'value', key: field.key, field, holds: valueHeld(field) };
    case 'rows':
    case 'list':
      return { reads: 'list', key: field.source.key, holds: 'list' };
    case 'software':
      return field.source.key === 'software.installed'
        ? { reads: 'list', key: field.source.key, holds: 'list' }
        : null;
    default:
      return assertNever(field);
  }
}

function valueHeld({ type, source }: ValueField): ValueColumn['holds'] {
  if (source.kind === 'core' && ELAPSED_DAYS.has(source.key)) return 'elapsedDays';
  switch (type) {
    case 'string':
    case 'enum':
      return 'text';
    case 'number':
    case 'boolean':
      return type;
    case 'datetime':
      return 'instant';
    default:
      return assertNever(type);
  }
}

const ELAPSED_DAYS: ReadonlySet<ValueFieldKey> = new Set(['daysSinceLastSeen', 'daysSinceEnrolled']);
