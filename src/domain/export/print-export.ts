/** CSV (RFC 4180) or NDJSON, row by row (Contract: §10). */
import { printInstant } from '#domain/text/iso-instant.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import type { ExportColumn, ExportRow, ExportValue } from './export-column.ts';

function csvText(text: string): string {
  const harmless = text.replace(FORMULAS, "$1'");
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Most readers skip an empty line, so a single empty cell is quoted. */
function csvLine(cells: string): string {
  return cells === '' ? '""\r\n' : `${cells}\r\n`;
}

/**
 * Where a spreadsheet could start a formula. Some spreadsheets accept full-width signs, skip white space, or
 * begin a cell at each semicolon.
 */
const FORMULAS = /^(?=[\t\r]|\s*[=+\-@＝＋－＠])|(;\s*)(?=[=+\-@＝＋－＠])/g;

const QUOTED = /[",\r\n]/;

/** Contract: §10. */
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Each text ends with a line break. NDJSON has an empty `head`. */
export interface ExportPrinter {
  readonly head: string;
  readonly row: (row: ExportRow) => string;
}

/** Elapsed days are counted up to `at`. */
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
    const row = rowPrinter(
      columns.map(({ holds }) => CSV_CELLS[holds]),
      {
        before: columns.map((_, i) => (i === 0 ? '' : ',')),
        missing: '',
        at,
      },
    );
    return {
      head: csvLine(columns.map(({ key }) => csvText(key)).join(',')),
      row: (values) => csvLine(row(values)),
    };
  },
  ndjson: (columns, at) => {
    const row = rowPrinter(
      columns.map(({ holds }) => JSON_VALUES[holds]),
      {
        before: columns.map(({ key }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`),
        missing: 'null',
        at,
      },
    );
    return { head: '', row: (values) => `${row(values)}}\n` };
  },
};

type Print = (value: Exclude<ExportValue, null>, at: EpochMs) => string;

interface RowShape {
  readonly before: readonly string[];
  readonly missing: string;
  readonly at: EpochMs;
}

/** Appends to one string, which is measurably faster than joining: exports print millions of values. */
function rowPrinter(
  printers: readonly Printers[ExportColumn['holds']][],
  { before, missing, at }: RowShape,
): (row: ExportRow) => string {
  const prints = printers as readonly unknown[] as readonly Print[];
  return (row) => {
    let line = '';
    for (let i = 0; i < prints.length; i++) {
      const value = row[i] ?? null;
      line += before[i];
      line += value === null ? missing : prints[i]?.(value, at);
    }
    return line;
  };
}

type Printers = { readonly [H in ExportColumn['holds']]: (value: Held[H], at: EpochMs) => string };

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
  instant: printInstant,
  elapsedDays: (since, at) => String(elapsedDays(since, at)),
  list: (texts) => csvText(texts.join('; ')),
};

const JSON_VALUES: Printers = {
  text: (text) => JSON.stringify(text),
  number: String,
  boolean: String,
  instant: (instant) => `"${printInstant(instant)}"`,
  elapsedDays: (since, at) => String(elapsedDays(since, at)),
  list: (texts) => JSON.stringify(texts),
};

/** Rounds down to whole days, as the filter operator `equals` does. */
function elapsedDays(since: EpochMs, at: EpochMs): number {
  return Math.floor((at - since) / DAY_MS);
}
