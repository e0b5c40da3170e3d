import { loadCatalog } from '#application/filters/check-conditions.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ExportColumn } from '#domain/export/export-column.ts';
import { type ExportFieldFault, parseExportFields } from '#domain/export/parse-export-fields.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { Result } from '#domain/result.ts';

/** Loads custom fields only if a name is not a core field, which is rare. */
export async function checkFields(
  customFields: CustomFieldSource,
  scope: AccessScope,
  fields: unknown,
): Promise<Result<readonly ExportColumn[], readonly ExportFieldFault[]>> {
  const core = parseExportFields(fields, CORE_CATALOG);
  return core.ok ? core : parseExportFields(fields, await loadCatalog(customFields, scope));
}
