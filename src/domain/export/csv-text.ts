/** Texts in CSV (RFC 4180), harmless to the spreadsheet that opens it (Contract: §10). */

/** A text as the content of a cell, in quotes where it needs them. */
export function csvText(text: string): string {
  const harmless = FORMULA_SIGNS.has(text.charCodeAt(0)) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The cells of a line with the end of it. A single empty cell is quoted: most readers skip an empty line. */
export function csvLine(cells: string): string {
  return cells === '' ? '""\r\n' : `${cells}\r\n`;
}

/** With one of them, a cell begins that spreadsheets take for a formula. */
const FORMULA_SIGNS: ReadonlySet<number> = new Set(Array.from('=+-@\t\r', (sign) => sign.charCodeAt(0)));

const QUOTED = /[",\r\n]/;
