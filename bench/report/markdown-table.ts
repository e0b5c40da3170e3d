export type Cells = readonly (string | number)[];

export function toMarkdown(columns: readonly string[], rows: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The rows of the first table under a second-level heading; empty without that heading. */
export function rowsUnder(page: string, heading: string): readonly (readonly string[])[] {
  const [, table = ''] = /^\|.*\n\|[-|]+\|\n((?:\|.*(?:\n|$))*)/m.exec(partUnder(page, heading)) ?? [];
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The text between that heading and the next. */
export function partUnder(page: string, heading: string): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}
