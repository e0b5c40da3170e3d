import type { ApplicationError } from '#application/application-error.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { visibleName } from '#domain/text/visible-text.ts';
import type { EpochMs } from '#domain/time.ts';
import { print, report } from './door.ts';

/** Names faults by their options, such as `--name`, instead of by their paths. */
export function explainInOptions(error: ApplicationError, options: Readonly<Record<string, string>>): string {
  if (!('errors' in error)) return error.detail;
  return error.errors
    .map(({ path, message }) =>
      message.startsWith(path) ? (options[path] ?? path) + message.slice(path.length) : message,
    )
    .join('\n');
}

export function printList(
  asJson: true | undefined,
  items: readonly object[],
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  if (asJson === true) print(JSON.stringify(items, null, 2));
  else if (rows.length === 0) report(none);
  else print(formatTable(headings, rows));
}

export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(visibleName));
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

/** Such as `2026-11-21 19:25:07Z`; empty for null. */
export function formatTime(instant: EpochMs | null): string {
  return instant === null ? '' : `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** UTF-16 code units shown on each side of the marked part. */
const SHOWN_AROUND = 60;

/**
 * Returns the text with carets below the marked part. `start` and `end` count UTF-16 code units; if equal,
 * something is missing there.
 */
export function markPlace(text: string, start: number, end: number): string {
  const from = Math.max(0, start - SHOWN_AROUND);
  const until = Math.min(text.length, Math.max(end, start + 1) + SHOWN_AROUND);
  const before = visibleName(`${from === 0 ? '' : '…'}${text.slice(from, start)}`);
  const marked = visibleName(text.slice(start, Math.min(end, until)));
  const after = visibleName(
    `${text.slice(Math.max(start, Math.min(end, until)), until)}${until === text.length ? '' : '…'}`,
  );
  const carets = '^'.repeat(Math.max(1, countCodePoints(marked)));
  return `  ${before}${marked}${after}\n  ${' '.repeat(countCodePoints(before))}${carets}`;
}

export function toList(words: string | undefined): readonly string[] {
  return (words ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
