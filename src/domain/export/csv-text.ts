/** CSV (RFC 4180) that no spreadsheet runs as a formula (Contract: §10). */

/** The text as a cell, quoted where needed. */
export function csvText(text: string): string {
  const harmless = FORMULA_SIGNS.has(text.charCodeAt(0)) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A line with its end. A single empty cell is quoted, because most readers skip an empty line. */
export function csvLine(cells: string): string {
  return cells === '' ? '""\r\n' : `${cells}\r\n`;
}

/** Spreadsheets take a cell that begins with one of these for a formula. */
const FORMULA_SIGNS: ReadonlySet<number> = new Set(Array.from('=+-@\t\r', (sign) => sign.charCodeAt(0)));

const QUOTED = /[",\r\n]/;
