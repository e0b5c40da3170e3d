import { LISTED_FIELDS } from '#domain/device/device-row.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import {
  type ExportColumn,
  fieldColumn,
  OWN_COLUMN_KEYS,
  ownColumn,
  versionsColumn,
} from './export-column.ts';

/** The fields that every device in a list has. */
export const DEFAULT_EXPORT_FIELDS: readonly string[] = [
  ...LISTED_FIELDS,
  ...['metrics.cpuPercent', 'metrics.ramPercent', 'metrics.diskPercent'],
  ...['patches.pending', 'alerts.critical', 'system.rebootRequired'],
];

export interface ExportFieldFault {
  /** `fields` or `fields[i]`. */
  readonly path: string;
  readonly code: 'invalid_value' | 'unknown_field' | 'ambiguous_custom_field' | 'value_not_allowed';
  readonly message: string;
}

/** Returns the default columns if `fields` is absent. An error has at most 100 faults. */
export function parseExportFields(
  fields: unknown,
  catalog: FieldCatalog,
): Result<readonly ExportColumn[], readonly ExportFieldFault[]> {
  const keys = fields === undefined ? DEFAULT_EXPORT_FIELDS : fields;
  if (!Array.isArray(keys) || keys.length === 0) {
    const sent = Array.isArray(keys) ? 'an empty one' : describe(keys);
    const message = `fields must be a list of field keys such as ["hostname", "status"], not ${sent}. Leave it out for the usual ones.`;
    return err([{ path: 'fields', code: 'invalid_value', message }]);
  }
  const columns: ExportColumn[] = [];
  const faults: ExportFieldFault[] = [];
  const seen = new Set<unknown>();
  for (const [i, key] of keys.entries()) {
    const column = parseField(key, catalog, seen);
    seen.add(key);
    if (column.ok) columns.push(column.value);
    else faults.push({ path: `fields[${i}]`, ...column.error });
    if (faults.length === MAX_FAULTS) break;
  }
  return faults.length === 0 ? ok(columns) : err(faults);
}

const COLUMNS_OF_ITS_OWN: ReadonlyMap<unknown, ExportColumn> = new Map(
  OWN_COLUMN_KEYS.map((key) => [key, ownColumn(key)]),
);

function parseField(
  key: unknown,
  catalog: FieldCatalog,
  seen: ReadonlySet<unknown>,
): Result<ExportColumn, Omit<ExportFieldFault, 'path'>> {
  if (typeof key !== 'string') {
    return err({
      code: 'invalid_value',
      message: `A field must be a field key such as "hostname", not ${describe(key)}`,
    });
  }
  if (seen.has(key)) {
    return err({ code: 'value_not_allowed', message: `${describe(key)} was named before. Name it once.` });
  }
  const own = COLUMNS_OF_ITS_OWN.get(key) ?? versionsColumn(key);
  if (own !== null) return ok(own);
  const entry = catalog.get(key);
  if (entry === undefined) {
    return err({
      code: 'unknown_field',
      message: `No field ${describe(key)}. ${adviseOn(key, catalog)}`,
    });
  }
  if (entry.kind === 'ambiguous') {
    const message = `${key} has different types in the organizations that you can access. To have it, ask for one organization (orgId).`;
    return err({ code: 'ambiguous_custom_field', message });
  }
  const column = fieldColumn(entry.field);
  if (column !== null) return ok(column);
  const instead = key === 'software.notInstalled' ? ' Use software.installed.' : '';
  const message = `${key} has no values.${instead}`;
  return err({ code: 'value_not_allowed', message });
}

function adviseOn(key: string, catalog: FieldCatalog): string {
  const near = nearestWord(key, [...OWN_COLUMN_KEYS, ...catalog.keys()]);
  if (near !== null) return `Did you mean ${near}?`;
  return `Use ${OWN_COLUMN_KEYS.join(', ')}, or a field from GET /api/v1/filters/fields.`;
}
