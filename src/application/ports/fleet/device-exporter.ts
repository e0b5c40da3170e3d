import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';

export interface ExportRequest extends MatchRequest {
  /** At least one. Custom fields belong to organizations in the scope. */
  readonly columns: readonly ExportColumn[];
}

/**
 * All matching devices in batches of rows by lower-cased hostname in code point order, then id, from one snapshot,
 * each device once. Only the columns are read. Reading stays close to the consumer, so memory is a few batches;
 * batches are never empty. The first row comes within the filter time limit, waiting for a turn excluded; after that
 * only the signal limits it. When it fires, or the consumer leaves, everything is released at once. Refusals are
 * thrown as `MatchStreamError`; other errors are storage failures or overload.
 */
export type DeviceExporter = (request: ExportRequest) => AsyncIterable<readonly ExportRow[]>;
