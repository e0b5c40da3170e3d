/** A draft as text and back, by the domain's grammar (Contract: §11). */
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { formatConditions } from '#domain/filter/text/format-conditions.ts';
import { parseFilterText } from '#domain/filter/text/parse-filter-text.ts';
import type { ResolveName } from '#domain/filter/text/read-term.ts';
import type { TextFault } from '#domain/filter/text/text-fault.ts';
import { ok, type Result } from '#domain/result.ts';
import { type DraftGroup, toDraft } from './draft-tree.ts';

/** The text of conditions, or null where they have a fault. */
export function textOfConditions(conditions: unknown, catalog: FieldCatalog): string | null {
  const parsed = parseConditions(conditions, catalog);
  return parsed.ok ? formatConditions(parsed.value) : null;
}

export function draftOfText(
  text: string,
  catalog: FieldCatalog,
  resolveName: ResolveName,
): Result<DraftGroup, readonly TextFault[]> {
  const parsed = parseFilterText(text, catalog, resolveName);
  if (!parsed.ok) return parsed;
  const draft = toDraft(parsed.value);
  if (draft === null) throw new Error('a filter text became no tree');
  return ok(draft);
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Finds ids by name, whole and in any case, as the server does. */
export function nameResolver(organizations: readonly Named[], sites: readonly Named[]): ResolveName {
  return ({ key }, name) =>
    (key === 'siteId' ? sites : organizations)
      .filter((one) => one.name.toLowerCase() === name.toLowerCase())
      .map(({ id }) => id);
}
