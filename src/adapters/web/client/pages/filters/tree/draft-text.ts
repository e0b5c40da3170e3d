import { words } from '#console/app/words.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { halfKeyAtEnd } from '#domain/filter/text/complete/half-words.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import { quote } from '#domain/filter/text/text-keys.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type DraftGroup, levelsOf, MAX_LEVELS, toDraft } from './draft-tree.ts';

/** Null if the conditions have a fault. */
export function textOfConditions(conditions: unknown, catalog: FieldCatalog): string | null {
  const parsed = parseConditions(conditions, catalog);
  return parsed.ok ? formatConditions(parsed.value) : null;
}

/** JSON if text cannot express the filter, such as one with a deleted field. */
export function textOrJson(conditions: unknown, catalog: FieldCatalog): string {
  return textOfConditions(conditions, catalog) ?? JSON.stringify(conditions);
}

export type DraftFault = Omit<TextFault, 'code'>;

export function draftOfText(
  text: string,
  catalog: FieldCatalog,
  resolveName: ResolveName,
): Result<DraftGroup, readonly DraftFault[]> {
  const parsed = parseFilterText(text, catalog, resolveName);
  if (!parsed.ok) return parsed;
  const draft = toDraft(parsed.value);
  if (draft !== null) return ok(draft);
  // Parsed text is always a tree, so its only possible fault is its depth.
  const message = words.filters.tooDeep(levelsOf(parsed.value), MAX_LEVELS);
  return err([{ start: 0, end: text.length, message, suggestions: [] }]);
}

/** An unfinished key at the end is a fault, not a name to search for. */
export function draftOfTyped(...[text, catalog, resolveName]: Parameters<typeof draftOfText>) {
  const half = halfKeyAtEnd(text, catalog);
  const read = draftOfText(text, catalog, resolveName);
  if (half === null || !read.ok) return read;
  const { from, to, item } = half;
  const written = text.slice(from, to);
  const suggestions = [item.insert, quote(written)];
  return err([{ start: from, end: to, message: words.filters.halfKey(written), suggestions }]);
}

/** In characters. Some proxies refuse longer addresses. */
const MAX_TEXT = 2_000;

/** Null if the filter has a fault or does not fit into an address. */
export function textForAddress(conditions: unknown, catalog: FieldCatalog): string | null {
  const text = textOfConditions(conditions, catalog);
  return text === null || text.length > MAX_TEXT ? null : text;
}
