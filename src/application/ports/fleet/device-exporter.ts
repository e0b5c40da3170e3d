/** Reads whole sets of devices, with the fields that are wanted of them (Contract: §10). */
import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';

/** Which devices, and what of them. */
export interface ExportRequest extends MatchRequest {
  /** At least one. Custom fields are those of the organizations in the scope. */
  readonly columns: readonly ExportColumn[];
}

/**
 * All matching devices in batches of rows, by lower-cased hostname in code point order, then id; each device once, from
 * one snapshot, names of organizations and sites included. Only the columns are read. Nothing is read far ahead of
 * whoever takes the rows, so that an export of any length needs the memory of a few batches; a batch is never empty.
 *
 * The first row comes within the time limit of filters, not counting the wait for a turn; after that, taking rows may
 * last as long as the signal allows. When it fires, or the reader leaves, what the export held is free, even if nobody
 * asks for another batch. A refusal is thrown as `MatchStreamError`; anything else that is thrown is a failure of
 * storage, or overload.
 */
export type DeviceExporter = (request: ExportRequest) => AsyncIterable<readonly ExportRow[]>;
