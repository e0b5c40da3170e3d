/** Exports run through a cursor, on connections that other work does not use. */
import { streamCursor } from '#adapters/postgres/reads/filters/stream-cursor.ts';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { DeviceExporter } from '#application/ports/fleet/device-exporter.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { ExportColumn, ExportRow, ExportValue } from '#domain/export/export-column.ts';

const BATCH_SIZE = 1_000;

/** `firstRowMs` limits the wait for the first row. The reader's limit applies to each batch after it. */
export function makeDeviceExporter(reader: ScopedReader, firstRowMs: number): DeviceExporter {
  return (request) => {
    const { columns, scope } = request;
    const readers = columns.map(({ holds }) => readerOf(holds));
    return streamCursor<readonly (string | null)[], ExportRow>(reader, request, {
      declare: (filter) => ScopedStatement.exportCursor(scope, filter, columns),
      toItem: (texts) => readers.map((read, i) => read(texts[i] ?? null)),
      batchSize: BATCH_SIZE,
      form: { asTexts: true },
      firstRowMs,
    });
  };
}

export function readerOf(holds: ExportColumn['holds']): (text: string | null) => ExportValue {
  switch (holds) {
    case 'text':
      return (text) => text;
    case 'number':
    case 'instant':
    case 'elapsedDays':
      return (text) => (text === null ? null : Number(text));
    case 'boolean':
      return (text) => (text === null ? null : text === 't');
    case 'list':
      // Most lists are empty and need no parsing.
      return (text) => (text === null || text === '[]' ? [] : (JSON.parse(text) as readonly string[]));
    default:
      return assertNever(holds);
  }
}
