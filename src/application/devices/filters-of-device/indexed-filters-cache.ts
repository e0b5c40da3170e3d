/** The indexed filters of the organizations that were asked about last, in bounded memory. */
import type { CustomFieldDefinition } from '#domain/filter/catalog/custom-field.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { OrgId } from '#domain/ids.ts';
import { IndexedFilters } from './indexed-filters.ts';

/** As `IndexedFilters.weight` counts: some 80 MB. */
const MAX_WEIGHT = 8_388_608;

export class IndexedFiltersCache {
  /** The one that was asked about last comes last. */
  readonly #byOrg = new Map<OrgId, { readonly definitions: string; readonly filters: IndexedFilters }>();

  /** Those of an organization with these custom fields: as they were left, or none yet. */
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

  /** To be called when filters were added: forgets the organizations that were asked about longest ago. */
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
