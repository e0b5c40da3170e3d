/** Rows as a table for a terminal: columns under their headings, as wide as they need to be, two spaces apart. */
import { countCodePoints } from '#domain/text/code-points.ts';

/** Text without a line break at its end. Every row has as many cells as there are headings. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(printable));
  const widths = headings.map((_, i) => Math.max(...lines.map((cells) => countCodePoints(cells[i] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - countCodePoints(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A terminal obeys some characters instead of showing them. */
function printable(cell: string): string {
  return cell.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�');
}
