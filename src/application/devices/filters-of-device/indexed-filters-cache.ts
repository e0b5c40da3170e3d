/** The indexed filters of recently used organizations, in bounded memory. */
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { OrgId } from '#domain/ids.ts';
import { IndexedFilters } from './indexed-filters.ts';

/** In the unit of `IndexedFilters.weight`; about 80 MB. */
const MAX_WEIGHT = 8_388_608;

export class IndexedFiltersCache {
  /** Least recently used first. */
  readonly #byOrg = new Map<OrgId, { readonly definitions: string; readonly filters: IndexedFilters }>();

  /** The index of an organization with these custom fields; empty if none is cached. */
  of(orgId: OrgId, definitions: readonly CustomFieldDefinition[]): IndexedFilters {
    const text = JSON.stringify(definitions);
    const known = this.#byOrg.get(orgId);
    const current =
      known?.definitions === text
        ? known
        : {
            definitions: text,
            filters: new IndexedFilters(buildCatalog(resolveCustomFields(definitions))),
          };
    this.#byOrg.delete(orgId);
    this.#byOrg.set(orgId, current);
    return current.filters;
  }

  /** Must be called after filters are added. Evicts the least recently used organizations. */
  trim(): void {
    let weight = 0;
    for (const { filters } of this.#byOrg.values()) weight += filters.weight;
    for (const [orgId, { filters }] of this.#byOrg) {
      if (weight <= MAX_WEIGHT) return;
      this.#byOrg.delete(orgId);
      weight -= filters.weight;
    }
  }
}
