import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { endOfMatch, skipValue } from '#domain/filter/text/parse/scan-stretch.ts';
import { scanValue } from '#domain/filter/text/parse/scan-value.ts';
import { beginningOfTitle, endOfKey, makeKeyFinder, styleOf } from '#domain/filter/text/text-keys.ts';

/** Places are in UTF-16 code units; `end` is excluded. */
export type WrittenTerm =
  /** The unfinished name of a title whose versions are compared, such as `software[chr`; always the last. */
  | { readonly kind: 'title'; readonly start: number; readonly end: number; readonly typed: string }
  | { readonly kind: 'bare'; readonly start: number; readonly end: number; readonly isQuoted: boolean }
  | {
      readonly kind: 'keyed';
      readonly start: number;
      readonly end: number;
      readonly field: FilterField | null;
      readonly valueStart: number;
    };

/** The text may be faulty. The last term is empty if the text ends between terms. */
export function* termsOf(text: string, catalog: FieldCatalog): Iterable<WrittenTerm> {
  const findKey = makeKeyFinder(catalog);
  for (let at = 0; ; ) {
    const start = endOfMatch(/[\s()-]*/y, text, at);
    const typed = beginningOfTitle(text, start);
    if (typed !== null) {
      yield { kind: 'title', start, end: text.length, typed };
      return;
    }
    const keyEnd = endOfKey(text, start);
    if (text[keyEnd] === ':') {
      const entry = findKey(text.slice(start, keyEnd));
      const field = entry?.kind === 'field' ? entry.field : null;
      const valueStart = keyEnd + 1;
      at = valueStart;
      if (at < text.length) {
        at = field === null ? skipValue(text, at) : scanValue(text, at, styleOf(field), ignore).end;
      }
      yield { kind: 'keyed', start, end: at, field, valueStart };
    } else {
      at = skipValue(text, start);
      yield { kind: 'bare', start, end: at, isQuoted: text[keyEnd] === '"' };
    }
    if (at >= text.length) return;
  }
}

function ignore(): void {}
