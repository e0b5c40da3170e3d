/** Words that would be searched as names by mistake: half a word, or a value without its key. */
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { printKey } from '#domain/filter/text/text-keys.ts';
import { type Completion, completeFilterText } from './complete-filter-text.ts';
import { beginsKey, type CompletionItem, colonItems, toValueItem } from './completion-items.ts';
import { termsOf } from './written-terms.ts';

const GRAMMAR: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/**
 * Whether the word at the cursor is only part of a key, or part of a value whose field matches whole values
 * only. `items` are all proposals, including the word if it is a value.
 */
export function isHalfWord(
  { kind, typed, field, source, to }: Completion,
  items: readonly CompletionItem[],
  at: number,
  catalog: FieldCatalog,
): boolean {
  if (to !== at || typed.trim() === '' || items.length === 0) return false;
  if (source !== null && kind === 'key') return true;
  if (kind === 'key') {
    return !GRAMMAR.has(typed) && (colonItems(catalog, typed).length > 0 || beginsKey(catalog, typed));
  }
  const written = typed.toLowerCase();
  return isWholeValued(field) && items.every(({ label }) => label.toLowerCase() !== written);
}

/** The unfinished key at the end, wherever the cursor is; null if there is none. */
export function halfKeyAtEnd(text: string, catalog: FieldCatalog): HalfKey | null {
  const completion = completeFilterText(text, text.length, catalog);
  const { kind, from, to, items } = completion;
  const [item] = items;
  if (kind !== 'key' || item === undefined) return null;
  return isHalfWord(completion, items, text.length, catalog) ? { from, to, item } : null;
}

interface HalfKey {
  readonly from: number;
  readonly to: number;
  readonly item: CompletionItem;
}

/** Whether the field matches whole values only. */
export function isWholeValued(field: FilterField | null): boolean {
  return field !== null && (field.isUuid || ['enum', 'boolean', 'array'].includes(field.type));
}

export interface Meaning {
  /** The replaced text, in UTF-16 code units; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Adds the key to the first bare word that is a field's value: `windows` becomes `os:windows`. */
export function findMeaning(text: string, catalog: FieldCatalog): Meaning | null {
  for (const term of termsOf(text, catalog)) {
    if (term.kind !== 'bare' || term.isQuoted) continue;
    const word = text.slice(term.start, term.end).toLowerCase();
    for (const entry of catalog.values()) {
      const value =
        entry.kind === 'field'
          ? entry.field.values?.find((known) => known.toLowerCase() === word)
          : undefined;
      if (entry.kind !== 'field' || value === undefined) continue;
      const insert = `${printKey(entry.field.key)}:${toValueItem(value).insert}`;
      return { from: term.start, to: term.end, insert };
    }
  }
  return null;
}
