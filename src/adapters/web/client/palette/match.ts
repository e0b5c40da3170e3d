import { foldCase } from '#domain/text/fold-case.ts';

interface Titled {
  readonly title: string;
  readonly context?: string;
}

interface GroupOf<T> {
  readonly title: string;
  readonly rows: readonly T[];
}

export type Kind = 'everything' | 'commands' | 'filters' | 'organizations';

const KINDS: Readonly<Record<string, Kind>> = { '>': 'commands', '#': 'filters', '@': 'organizations' };

export interface Wanted {
  readonly kind: Kind;
  /** The typed text without spaces around it and without the prefix. */
  readonly text: string;
}

export function readWanted(typed: string): Wanted {
  const text = typed.trim();
  const kind = KINDS[text[0] ?? ''];
  return kind === undefined ? { kind: 'everything', text } : { kind, text: text.slice(1).trim() };
}

export function matches({ title, context = '' }: Titled, text: string): boolean {
  const folded = foldCase(text);
  return foldCase(title).includes(folded) || foldCase(context).includes(folded);
}

export function matching<T extends Titled>(rows: readonly T[], text: string): readonly T[] {
  const byTitle = rows.filter(({ title }) => matches({ title }, text));
  return [...byTitle, ...rows.filter((row) => !byTitle.includes(row) && matches(row, text))];
}

/** Where `text` is in `title`, in UTF-16 code units. */
export function placeOf(
  text: string,
  title: string,
): { readonly start: number; readonly end: number } | null {
  if (text === '') return null;
  const folded = foldCase(title);
  // If case folding changes the length, positions no longer correspond.
  if (folded.length !== title.length) return null;
  const start = folded.indexOf(foldCase(text));
  return start === -1 ? null : { start, end: start + text.length };
}

/** Drops repeated rows, and groups that become empty. */
export function tidy<T extends { readonly id: string }>(
  groups: readonly GroupOf<T>[],
): readonly GroupOf<T>[] {
  const seen = new Set<string>();
  return groups.flatMap(({ title, rows }) => {
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.length > 0 ? [{ title, rows: fresh }] : [];
  });
}
