import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';

export interface ExportRequest extends MatchRequest {
  /** At least one column. Custom fields must belong to organizations in the scope. */
  readonly columns: readonly ExportColumn[];
}

/**
 * Exports a row for each matching device, in non-empty batches from one snapshot, by lower-cased host name in
 * code point order, then id.
 * - Memory stays small, because only the columns are read, and only a few batches ahead of the consumer.
 * - The filter time limit applies until the first row, not counting the wait for a turn. After that, only the
 *   signal stops the export.
 * - If the signal aborts or the consumer leaves, everything is released at once.
 * - Refusals are thrown as `MatchStreamError`. Other errors are storage failures or overload.
 */
export type DeviceExporter = (request: ExportRequest) => AsyncIterable<readonly ExportRow[]>;
