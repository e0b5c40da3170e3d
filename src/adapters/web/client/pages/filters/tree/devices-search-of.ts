import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { textOfConditions } from './draft-text.ts';

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
