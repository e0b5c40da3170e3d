/** The rows of the palette, and which of them match (Contract: §14). */
import type { IconName } from '#console/parts/icon.tsx';
import { foldCase } from '#domain/text/fold-case.ts';

export interface Row {
  /** No two rows of the list share it. */
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  /** On the right, in grey. */
  readonly context?: string;
  /** The keys that do the same. */
  readonly keys?: string;
  /** Whether it is a device, whose name can be copied. */
  readonly isDevice?: boolean;
  readonly target: Target;
}

/** Where a row leads, or what it does. */
export type Target =
  | { readonly to: string; readonly search?: Readonly<Record<string, string>> }
  /** A page that is no part of this one. */
  | { readonly address: string }
  | { readonly run: () => void };

export interface RowGroup {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** What a first sign narrows the palette to. */
export type Kind = 'everything' | 'commands' | 'filters' | 'organizations';

const KINDS: Readonly<Record<string, Kind>> = { '>': 'commands', '#': 'filters', '@': 'organizations' };

export interface Wanted {
  readonly kind: Kind;
  /** Trimmed; empty: nothing is typed but the sign. */
  readonly text: string;
}

export function readWanted(typed: string): Wanted {
  const text = typed.trim();
  const kind = KINDS[text[0] ?? ''];
  return kind === undefined ? { kind: 'everything', text } : { kind, text: text.slice(1).trim() };
}

/** Whether the text is in the title or the context, in any case. */
export function matches({ title, context = '' }: Pick<Row, 'title' | 'context'>, text: string): boolean {
  const folded = foldCase(text);
  return foldCase(title).includes(folded) || foldCase(context).includes(folded);
}

/** The rows that match, those first whose title has the text. */
export function matching(rows: readonly Row[], text: string): readonly Row[] {
  const byTitle = rows.filter(({ title }) => matches({ title }, text));
  return [...byTitle, ...rows.filter((row) => !byTitle.includes(row) && matches(row, text))];
}

/** Where the text is in the title first, as places of UTF-16 code units; null if it is not. */
export function placeOf(
  text: string,
  title: string,
): { readonly start: number; readonly end: number } | null {
  if (text === '') return null;
  const folded = foldCase(title);
  // Folding keeps the number of code points, and so places, but for the few that fold into another plane.
  if (folded.length !== title.length) return null;
  const start = folded.indexOf(foldCase(text));
  return start === -1 ? null : { start, end: start + text.length };
}

/** Without groups that are empty, and without rows that an earlier group has. */
export function tidy(groups: readonly RowGroup[]): readonly RowGroup[] {
  const seen = new Set<string>();
  return groups.flatMap(({ title, rows }) => {
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.length > 0 ? [{ title, rows: fresh }] : [];
  });
}
