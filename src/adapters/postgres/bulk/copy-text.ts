/** Values in PostgreSQL's COPY text format: one line per row, tabs between columns. */
import { arrayText } from '#adapters/postgres/array-text.ts';

/** A column value of a staged row. Dates and JSON are sent as text, dates in ISO 8601. */
export type CopyValue = string | number | boolean | null | readonly (string | number | null)[];

/** One row with its line end: its place in the source, then its values. */
export function copyLine(line: number, member: string, values: readonly CopyValue[]): string {
  let row = `${line}\t${escapeText(member)}`;
  for (const value of values) {
    if (value === null) row += '\t\\N';
    else if (typeof value === 'string') row += `\t${escapeText(value)}`;
    else if (typeof value === 'object') row += `\t${escapeText(arrayText(value))}`;
    else row += `\t${value}`;
  }
  return `${row}\n`;
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
    : text;
}
