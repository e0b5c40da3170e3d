/** The text of a record as PostgreSQL writes it: `(a,"b c",,"say ""no""")`. */

/** What a column has for its text, null for NULL. */
export type ReadColumn<T> = (text: string | null) => T;

/**
 * The columns as each of `read` reads its own; there are as many. PostgreSQL quotes what is empty or has a comma, a
 * parenthesis, a quote, a backslash or white space in it, and doubles quotes and backslashes.
 */
export function parseRecord<T>(record: string, read: readonly ReadColumn<T>[]): readonly T[] {
  const end = record.length - 1;
  const values: T[] = [];
  let at = 1;
  for (const readColumn of read) {
    if (at > end) break;
    if (record.charCodeAt(at) === QUOTE) {
      const close = closingQuote(record, at + 1);
      values.push(readColumn(unquote(record.slice(at + 1, close))));
      at = close + 2;
    } else {
      const comma = record.indexOf(',', at);
      const until = comma === -1 ? end : comma;
      values.push(readColumn(until === at ? null : record.slice(at, until)));
      at = until + 1;
    }
  }
  if (values.length !== read.length || at !== end + 1)
    throw new Error('a record does not have the columns that were asked for');
  return values;
}

const QUOTE = 0x22;

function closingQuote(record: string, from: number): number {
  let at = record.indexOf('"', from);
  while (record.charCodeAt(at + 1) === QUOTE) at = record.indexOf('"', at + 2);
  return at;
}

function unquote(quoted: string): string {
  const text = quoted.includes('""') ? quoted.replaceAll('""', '"') : quoted;
  return text.includes('\\\\') ? text.replaceAll('\\\\', '\\') : text;
}
