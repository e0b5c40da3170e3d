/** A draft as text and back, by the domain's grammar (Contract: §11). */
import { words } from '#console/app/words.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type DraftGroup, levelsOf, MAX_LEVELS, toDraft } from './draft-tree.ts';

/** The text of conditions, or null where they have a fault. */
export function textOfConditions(conditions: unknown, catalog: FieldCatalog): string | null {
  const parsed = parseConditions(conditions, catalog);
  return parsed.ok ? formatConditions(parsed.value) : null;
}

/** As text, or as JSON if text cannot express it, such as a field that is gone. */
export function textOrJson(conditions: unknown, catalog: FieldCatalog): string {
  return textOfConditions(conditions, catalog) ?? JSON.stringify(conditions);
}

/** What is wrong with a text, and where. */
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
  // What the grammar gives has the shape of a tree.
  const message = words.filters.tooDeep(levelsOf(parsed.value), MAX_LEVELS);
  return err([{ start: 0, end: text.length, message, suggestions: [] }]);
}

/** Characters of filter text in an address; with `%20` and the like, longer ones are refused by some proxies. */
const MAX_TEXT = 2_000;

/** What the list of devices has in its address to show those of the conditions; null where that cannot be said there. */
export function devicesSearchOf(
  conditions: unknown,
  catalog: FieldCatalog,
  orgId: string | null,
): { readonly q: string; readonly org?: string } | null {
  const q = textOfConditions(conditions, catalog);
  if (q === null || q.length > MAX_TEXT) return null;
  return { q, ...(orgId !== null && { org: orgId }) };
}
