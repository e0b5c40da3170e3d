import { useQuery } from '@tanstack/react-query';
import { namedFiltersQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { useOrganizations } from './use-organizations.ts';

/** Names of organizations and saved filters by id; undefined if unknown, or not loaded yet. */
export function useNames(hasFilters: boolean): (id: string) => string | undefined {
  const { nameOf } = useOrganizations();
  const { data = [] } = useQuery({ ...namedFiltersQuery(useApi()), enabled: hasFilters });
  return (wanted) => nameOf(wanted) ?? data.find(({ id }) => id === wanted.toLowerCase())?.name;
}
