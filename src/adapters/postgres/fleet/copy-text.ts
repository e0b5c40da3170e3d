/** Values in PostgreSQL's COPY text format: a line a row, tabs between columns. */

/** What a column of a staged row can be. Dates are sent as ISO text, JSON as its text. */
export type CopyValue = string | number | boolean | null | readonly (string | number | null)[];

/** One row, with its line end. */
export function copyLine(values: readonly CopyValue[]): string {
  let line = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as CopyValue;
    line += i === 0 ? '' : '\t';
    if (value === null) line += '\\N';
    else if (typeof value === 'string') line += escapeText(value);
    else if (typeof value === 'object') line += escapeText(arrayText(value));
    else line += String(value);
  }
  return `${line}\n`;
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '')
    : text;
}

function arrayText(values: readonly (string | number | null)[]): string {
  const elements = values.map((value) => {
    if (value === null) return 'NULL';
    return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
