/**
 * Prints devices as CSV (RFC 4180) or NDJSON, row by row (Contract: §10). Columns are called by the keys of their
 * fields, in the order of the columns, in either format.
 */
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { csvLine, csvText } from './csv-text.ts';
import type { ExportColumn, ExportRow, ExportValue } from './export-column.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Each text ends with the end of its line. */
export interface ExportPrinter {
  /** What comes before the rows; empty in NDJSON. */
  readonly head: string;
  readonly row: (row: ExportRow) => string;
}

/** `at` is the instant of evaluation. */
export function makeExportPrinter(
  format: ExportFormat,
  columns: readonly ExportColumn[],
  at: EpochMs,
): ExportPrinter {
  return PRINTERS[format](columns, at);
}

const PRINTERS: Readonly<
  Record<ExportFormat, (columns: readonly ExportColumn[], at: EpochMs) => ExportPrinter>
> = {
  csv: (columns, at) => {
    const cells = columns.map(({ holds }) => CSV_CELLS[holds]);
    return {
      head: csvLine(columns.map(({ key }) => csvText(key))),
      row: (row) => csvLine(cells.map((toCell, i) => printed(row[i], toCell, '', at))),
    };
  },
  ndjson: (columns, at) => {
    const values = columns.map(({ holds }) => JSON_VALUES[holds]);
    // Between the values, everything is the same for every device.
    const before = columns.map(({ key }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    return {
      head: '',
      row: (row) => {
        let line = '';
        for (const [i, toJson] of values.entries()) line += before[i] + printed(row[i], toJson, 'null', at);
        return `${line}}\n`;
      },
    };
  },
};

type Present = Exclude<ExportValue, null>;
type Print = (value: never, at: EpochMs) => string;

function printed(value: ExportValue | undefined, print: Print, missing: string, at: EpochMs): string {
  return value === null || value === undefined
    ? missing
    : (print as (value: Present, at: EpochMs) => string)(value, at);
}

type Printers = { readonly [H in ExportColumn['holds']]: (value: Held[H], at: EpochMs) => string };

/** What is held, where it is not missing. */
interface Held {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly instant: EpochMs;
  readonly elapsedDays: EpochMs;
  readonly list: readonly string[];
}

const CSV_CELLS: Printers = {
  text: csvText,
  number: String,
  boolean: String,
  instant: isoInstant,
  elapsedDays: (since, at) => String(elapsedDays(since, at)),
  list: (texts) => csvText(texts.join('; ')),
};

const JSON_VALUES: Printers = {
  text: (text) => JSON.stringify(text),
  number: String,
  boolean: String,
  instant: (instant) => `"${isoInstant(instant)}"`,
  elapsedDays: (since, at) => String(elapsedDays(since, at)),
  list: (texts) => JSON.stringify(texts),
};

function isoInstant(instant: EpochMs): string {
  return new Date(instant).toISOString();
}

/** Whole days, as `equals` compares them. */
function elapsedDays(since: EpochMs, at: EpochMs): number {
  return Math.floor((at - since) / DAY_MS);
}
