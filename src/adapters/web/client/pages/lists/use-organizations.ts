import { useQuery } from '@tanstack/react-query';
import { namedFiltersQuery } from '#console/api/filters.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';

/** Names that are unknown or still loading are undefined. */
export interface Organizations {
  readonly isPlural: boolean;
  /** By id. */
  readonly names: Readonly<Record<string, string>>;
  readonly nameOf: (id: string | null) => string | undefined;
  readonly partnerName: (partnerId: string | null) => string | undefined;
}

export function useOrganizations(): Organizations {
  const { data = [] } = useQuery(organizationsQuery(useApi()));
  return {
    isPlural: data.length > 1,
    names: namesById(data),
    nameOf: (wanted) => data.find(({ id }) => id === wanted)?.name,
    partnerName: (wanted) => data.find(({ partnerId }) => partnerId === wanted)?.partnerName,
  };
}

/** Returns a function that finds the names of organizations and, with `hasFilters`, of saved filters. */
export function useNames(hasFilters: boolean): (id: string) => string | undefined {
  const { nameOf } = useOrganizations();
  const { data = [] } = useQuery({ ...namedFiltersQuery(useApi()), enabled: hasFilters });
  return (wanted) => nameOf(wanted) ?? data.find(({ id }) => id === wanted.toLowerCase())?.name;
}

/** Maps ids to names, as `optionsOf` expects. */
export function namesById(
  named: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}
