/** The fields that the caller can filter by (GET /filters/fields; Contract: §3). */
import type { Call } from '#application/call.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { CatalogEntry } from '#domain/filter/catalog/field-catalog.ts';
import { loadCatalog } from './check-conditions.ts';

/** Core fields first, then the custom fields of the organizations in reach, by key. */
export type ListFields = (call: Call) => Promise<readonly CatalogEntry[]>;

export function makeListFields(deps: { readonly customFields: CustomFieldSource }): ListFields {
  return async ({ caller }) => [...(await loadCatalog(deps.customFields, caller.scope)).values()];
}
