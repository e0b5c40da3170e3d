/** What filters can be made of: fields, and the names of organizations and sites in reach. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fieldsQuery, sitesQuery } from '#console/api/filters.ts';
import { organizationsQuery } from '#console/api/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { type Named, nameResolver } from '#console/pages/filters/tree/draft-text.ts';
import { toCatalog } from '#console/pages/filters/tree/listed-catalog.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ResolveName } from '#domain/filter/text/read-term.ts';

export interface Vocabulary {
  readonly catalog: FieldCatalog;
  readonly organizations: readonly Named[];
  readonly sites: readonly Named[];
  readonly resolveName: ResolveName;
}

export interface LoadedVocabulary {
  /** Null while it is loading, and where that failed. */
  readonly vocabulary: Vocabulary | null;
  readonly error: unknown;
}

export function useVocabulary(): LoadedVocabulary {
  const api = useApi();
  const fields = useQuery(fieldsQuery(api));
  const organizations = useQuery(organizationsQuery(api));
  const sites = useQuery(sitesQuery(api));
  const vocabulary = useMemo(() => {
    if (fields.data === undefined || organizations.data === undefined || sites.data === undefined)
      return null;
    return {
      catalog: toCatalog(fields.data),
      organizations: organizations.data,
      sites: sites.data,
      resolveName: nameResolver(organizations.data, sites.data),
    };
  }, [fields.data, organizations.data, sites.data]);
  return { vocabulary, error: fields.error ?? organizations.error ?? sites.error };
}
