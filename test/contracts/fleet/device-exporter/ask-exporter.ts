/** The questions that the suites put to an exporter. */
import { loadCatalog } from '#application/filters/check-conditions.ts';
import type { ExportRequest } from '#application/ports/fleet/device-exporter.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ExportRow } from '#domain/export/export-column.ts';
import { parseExportFields } from '#domain/export/parse-export-fields.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { EVERY_DEVICE } from '#test/contracts/filters/device-matcher/ask-matcher.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { parseFilter, type RawGroup } from '#test/support/filters.ts';

export interface ExporterQuestions {
  /** A request for these fields, of every device unless a filter is given. */
  requestFor(scope: AccessScope, fields: readonly string[], group?: RawGroup): Promise<ExportRequest>;
  /** Every row of an export, in the order in which they came. */
  collect(request: ExportRequest): Promise<readonly ExportRow[]>;
  /** The first column of every row. */
  collectFirst(request: ExportRequest): Promise<readonly unknown[]>;
}

export function makeExporterQuestions(backend: () => ContractBackend): ExporterQuestions {
  const collect = async (request: ExportRequest) =>
    (await Array.fromAsync(backend().deviceExporter(request))).flat();
  return {
    requestFor: async (scope, fields, group = EVERY_DEVICE) => {
      const catalog = await loadCatalog(backend().customFields, scope);
      const columns = parseExportFields(fields, catalog);
      if (!columns.ok) throw new Error(`the fields were refused: ${JSON.stringify(columns.error)}`);
      const filter = parseFilter(group, catalog);
      return { filter, scope, at: SOME_INSTANT, onBehalfOf: 'test', columns: columns.value };
    },
    collect,
    collectFirst: async (request) => (await collect(request)).map(([value]) => value),
  };
}
