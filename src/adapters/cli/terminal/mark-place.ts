/** A place in a text, for a person at a terminal: the text, and a line of carets below. */
import { countCodePoints } from '#domain/text/code-points.ts';
import { printable } from './printable.ts';

/** How much of a long text is shown before and behind the place, in UTF-16 code units. */
const SHOWN_AROUND = 60;

/** Two lines, indented. `start` and `end` are in UTF-16 code units; where they are the same, something is missing. */
export function markPlace(text: string, start: number, end: number): string {
  const from = Math.max(0, start - SHOWN_AROUND);
  const until = Math.min(text.length, Math.max(end, start + 1) + SHOWN_AROUND);
  const before = `${from === 0 ? '' : '…'}${text.slice(from, start)}`.toWellFormed();
  const shown = `${before}${text.slice(start, until)}${until === text.length ? '' : '…'}`.toWellFormed();
  const marked = text.slice(start, Math.min(end, until)).toWellFormed();
  const carets = '^'.repeat(Math.max(1, countCodePoints(marked)));
  return `  ${printable(shown)}\n  ${' '.repeat(countCodePoints(before))}${carets}`;
}
