/** The text of a record as PostgreSQL writes it: `(a,"b c",,"say ""no""")`. */

/**
 * The texts of its columns, null for NULL. PostgreSQL quotes what is empty or has a comma, a parenthesis, a quote, a
 * backslash or white space in it, and doubles quotes and backslashes.
 */
export function parseRecord(record: string): readonly (string | null)[] {
  const end = record.length - 1;
  const values: (string | null)[] = [];
  for (let at = 1; at <= end; at++) {
    if (record.charCodeAt(at) === QUOTE) {
      const close = closingQuote(record, at + 1);
      values.push(unquote(record.slice(at + 1, close)));
      at = close + 1;
    } else {
      const comma = record.indexOf(',', at);
      const until = comma === -1 ? end : comma;
      values.push(until === at ? null : record.slice(at, until));
      at = until;
    }
  }
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
