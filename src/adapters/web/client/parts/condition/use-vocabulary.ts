import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListedField } from '#adapters/http/api-types.ts';
import { fieldsQuery, type NamedFilter, namedFiltersQuery, sitesQuery } from '#console/api/filters.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import type { ComboItem } from '#console/parts/fields/combo.tsx';
import { type FieldCatalog, type FilterField, listEntries } from '#domain/filter/catalog/field-catalog.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import { printKey } from '#domain/filter/text/text-keys.ts';
import { type Named, nameResolver, toCatalog } from './listed-catalog.ts';

export interface Vocabulary {
  readonly catalog: FieldCatalog;
  readonly fields: readonly ComboItem[];
  readonly organizations: readonly Named[];
  readonly sites: readonly Named[];
  readonly filters: readonly NamedFilter[];
  readonly resolveName: ResolveName;
}

export function useVocabulary() {
  const api = useApi();
  const fields = useQuery(fieldsQuery(api));
  const catalog = useCatalogOf(fields.data);
  const organizations = useQuery(organizationsQuery(api));
  const sites = useQuery(sitesQuery(api));
  const filters = useQuery(namedFiltersQuery(api));
  const vocabulary = useMemo((): Vocabulary | null => {
    if (catalog === null || organizations.data === undefined) return null;
    if (sites.data === undefined || filters.data === undefined) return null;
    return {
      catalog,
      fields: fieldItems(catalog),
      organizations: organizations.data,
      sites: sites.data,
      filters: filters.data,
      resolveName: nameResolver(organizations.data, sites.data, filters.data),
    };
  }, [catalog, organizations.data, sites.data, filters.data]);
  const failed = [fields, organizations, sites, filters].filter(({ error }) => error !== null);
  return {
    vocabulary,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
  };
}

export function useCatalog(): { readonly catalog: FieldCatalog | null; readonly error: unknown } {
  const { data, error } = useQuery(fieldsQuery(useApi()));
  return { catalog: useCatalogOf(data), error };
}

function useCatalogOf(listed: readonly ListedField[] | undefined): FieldCatalog | null {
  return useMemo(() => (listed === undefined ? null : toCatalog(listed)), [listed]);
}

export function namesFor({ key }: FilterField, vocabulary: Vocabulary): readonly ComboItem[] {
  const { organizations, sites, filters } = vocabulary;
  const named = key === 'siteId' ? sites : key === 'filter' ? filters : organizations;
  return named.map(({ id, name }) => ({ id, label: name }));
}

function fieldItems(catalog: FieldCatalog): readonly ComboItem[] {
  return listEntries(catalog).flatMap((entry) => {
    if (entry.kind === 'ambiguous') return [];
    const { key, label, category } = entry.field;
    // The key teaches people the text syntax.
    return [{ id: key, label, detail: printKey(key), section: words.filters.categories[category] }];
  });
}
