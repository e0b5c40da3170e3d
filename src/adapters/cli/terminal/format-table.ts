/** Rows as a table for a terminal: columns under their headings, as wide as they need to be, two spaces apart. */
import { countCodePoints } from '#domain/text/code-points.ts';
import { printable } from './printable.ts';

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
