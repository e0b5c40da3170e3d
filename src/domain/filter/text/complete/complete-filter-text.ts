/**
 * Proposals for the text before the cursor (Contract: §11). Callers add values of devices, which they find by
 * `source` and `typed`.
 */
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { endOfMatch, findUnescaped } from '#domain/filter/text/parse/scan-stretch.ts';
import { styleOf, type ValueStyle } from '#domain/filter/text/text-keys.ts';
import {
  type CompletionItem,
  colonItems,
  keyItems,
  knownValueItems,
  MAX_COMPLETIONS,
  operatorItems,
} from './completion-items.ts';
import { termsOf, type WrittenTerm } from './written-terms.ts';

/** Where values can be looked up. */
export type ValueSource =
  | 'tags'
  | 'software'
  | 'softwareVersions'
  | 'organizations'
  | 'sites'
  | 'filters'
  | 'agentVersions'
  | 'osVersions';

export interface Completion {
  /** Where the replaced text begins, in UTF-16 code units. */
  readonly from: number;
  /** The end, excluded. The rest of the word after the cursor is replaced, too. */
  readonly to: number;
  /** `operator`: right after a colon, where a value may follow as well. */
  readonly kind: 'key' | 'operator' | 'value';
  /** Null for keys, and if no field is known. */
  readonly field: FilterField | null;
  /** The text to complete, without quotes. */
  readonly typed: string;
  /** Where to look up more items; null if nowhere. A key has a source if it names a title, as in `software[chr`. */
  readonly source: ValueSource | null;
  readonly items: readonly CompletionItem[];
}

/** `at` is the cursor, in UTF-16 code units; beyond the text it means the end. */
export function completeFilterText(text: string, at: number, catalog: FieldCatalog): Completion {
  const cursor = Math.min(Math.max(at, 0), text.length);
  const begun = findBegun(text.slice(0, cursor), catalog);
  switch (begun.kind) {
    case 'nothing':
      return nothingAt(cursor, null);
    case 'title':
      return {
        ...begun,
        to: endOfMatch(/[^\]":()]*"?\]?(?:\.version:?)?/iy, text, cursor),
        kind: 'key',
        field: null,
        source: 'software',
        items: [],
      };
    case 'key': {
      const typed = text.slice(begun.from, cursor);
      const end = endOfMatch(/[^\s()":]*/y, text, cursor);
      const to = text[end] === ':' ? end + 1 : end;
      return {
        from: begun.from,
        to,
        kind: 'key',
        field: null,
        typed,
        source: null,
        items: [...colonItems(catalog, typed), ...keyItems(catalog, typed)],
      };
    }
    case 'value':
      return completeValue(text, cursor, begun.from, begun.field);
  }
}

type Begun =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'key'; readonly from: number }
  | { readonly kind: 'title'; readonly from: number; readonly typed: string }
  | { readonly kind: 'value'; readonly from: number; readonly field: FilterField };

function findBegun(text: string, catalog: FieldCatalog): Begun {
  let last: WrittenTerm | null = null;
  for (const term of termsOf(text, catalog)) last = term;
  if (last === null) return { kind: 'nothing' };
  if (last.kind === 'title') return { kind: 'title', from: last.start, typed: last.typed };
  if (last.kind === 'bare') return last.isQuoted ? { kind: 'nothing' } : { kind: 'key', from: last.start };
  const { field, valueStart } = last;
  return field === null ? { kind: 'nothing' } : { kind: 'value', from: valueStart, field };
}

function nothingAt(cursor: number, field: FilterField | null): Completion {
  return { from: cursor, to: cursor, kind: 'value', field, typed: '', source: null, items: [] };
}

function completeValue(text: string, cursor: number, from: number, field: FilterField): Completion {
  const style = styleOf(field);
  const word = findWord(text.slice(0, cursor), from, style);
  if (word === null) return nothingAt(cursor, field);
  const isWhole = word.from === from;
  const kind = isWhole && cursor === from ? 'operator' : 'value';
  const known = knownValueItems(field, word.typed, isWhole);
  return {
    from: word.from,
    to: endOfWord(text, cursor, word),
    kind,
    field,
    typed: word.typed,
    source: valueSourceOf(field),
    items: kind === 'operator' ? [...known, ...operatorItems(field)].slice(0, MAX_COMPLETIONS) : known,
  };
}

/** Where to look up the field's values; null if nowhere. */
export function valueSourceOf({ key, reads }: FilterField): ValueSource | null {
  return reads === 'versions' ? 'softwareVersions' : (SOURCES.get(key) ?? null);
}

const SOURCES: ReadonlyMap<string, ValueSource> = new Map([
  ['tags', 'tags'],
  ['tags.name', 'tags'],
  ['software.installed', 'software'],
  ['software.notInstalled', 'software'],
  ['agentVersion', 'agentVersions'],
  ['agent.version', 'agentVersions'],
  ['osVersion', 'osVersions'],
  ['os.version', 'osVersions'],
  ['orgId', 'organizations'],
  ['siteId', 'sites'],
  ['filter', 'filters'],
]);

interface BegunWord {
  readonly from: number;
  readonly typed: string;
  readonly quotes: 'none' | 'open' | 'closed';
  readonly isInList: boolean;
}

/** The last word of the value that begins at `from`; null within a pattern. */
function findWord(text: string, from: number, style: ValueStyle): BegunWord | null {
  const opening = /(?:[<>]=?|=|\/|\[)?/y.exec(text.slice(from, from + 2))?.[0] ?? '';
  if (opening === '/' && style.hasPatterns) return null;
  const isInList =
    (opening === '[' && style.hasBrackets) ||
    style.splits === 'always' ||
    (style.splits === 'afterEquals' && opening === '=');
  for (let start = from + opening.length; ; ) {
    const isQuoted = text[start] === '"';
    const closing = isQuoted ? findUnescaped(text, start + 1, '"') : -1;
    if (isQuoted && closing === -1) {
      return { from: start, typed: unescaped(text.slice(start + 1)), quotes: 'open', isInList };
    }
    const end = isQuoted ? closing + 1 : endOfMatch(isInList ? /[^,]*/y : /[\s\S]*/y, text, start);
    if (isInList && text[end] === ',') {
      start = end + 1;
    } else if (isQuoted) {
      return { from: start, typed: unescaped(text.slice(start + 1, closing)), quotes: 'closed', isInList };
    } else {
      return { from: start, typed: text.slice(start, end), quotes: 'none', isInList };
    }
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

function endOfWord(text: string, cursor: number, { quotes, isInList }: BegunWord): number {
  if (quotes === 'closed') return cursor;
  const run = endOfMatch(isInList ? /[^\s()",\]]*/y : /[^\s()"]*/y, text, cursor);
  if (quotes === 'none') return run;
  // The next quote closes this one only if an odd number of quotes follows.
  const closing = findUnescaped(text, cursor, '"');
  const isClosed = closing !== -1 && countQuotes(text, cursor) % 2 === 1;
  return isClosed ? closing + 1 : run;
}

function countQuotes(text: string, from: number): number {
  let count = 0;
  for (let at = findUnescaped(text, from, '"'); at !== -1; at = findUnescaped(text, at + 1, '"')) count++;
  return count;
}
