/**
 * What an export has as columns: every field that a device has something of, its id, and the names of its organization
 * and its site (Contract: §10).
 */
import { assertNever } from '#domain/assert-never.ts';
import type { ListFieldKey, RowsFieldKey, ValueFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { FilterField, ValueField } from '#domain/filter/catalog/field-catalog.ts';

/** Where a column comes from: a value, a list, or what the device is called and belongs to. */
export type ExportColumn = ValueColumn | ListColumn | OwnColumn;

/** The value of a field, or none. */
export interface ValueColumn {
  readonly reads: 'value';
  readonly key: string;
  readonly field: ValueField;
  /** Days are counted up to the evaluation; what is read is the instant that they are counted from. */
  readonly holds: 'text' | 'number' | 'boolean' | 'instant' | 'elapsedDays';
}

/** The texts of a field that has several. */
export interface ListColumn {
  readonly reads: 'list';
  readonly key: ListColumnKey;
  readonly holds: 'list';
}

/** Fields of which a device has several values. */
export type ListColumnKey = ListFieldKey | RowsFieldKey | 'software.installed';

/** What no filter asks for. */
export interface OwnColumn {
  readonly reads: 'own';
  readonly key: OwnColumnKey;
  readonly holds: 'text';
}

/** The ids of organization and site are fields. */
export const OWN_COLUMN_KEYS = ['id', 'organization', 'site'] as const;
export type OwnColumnKey = (typeof OWN_COLUMN_KEYS)[number];

/**
 * What a column has of a device: a list is never null, and whatever has an instant (or days since one) has it in epoch
 * milliseconds.
 */
export type ExportValue = string | number | boolean | null | readonly string[];

/** One value for each column. */
export type ExportRow = readonly ExportValue[];

/** The column of the id, or of a name. */
export function ownColumn(key: OwnColumnKey): OwnColumn {
  return { reads: 'own', key, holds: 'text' };
}

/** The field's column, or null: what a device has not installed is a question only, and has no end. */
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
