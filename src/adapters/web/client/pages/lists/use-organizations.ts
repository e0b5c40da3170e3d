import { useQuery } from '@tanstack/react-query';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';

/** Names are undefined if unknown, or not loaded yet. */
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

/** For `optionsOf`. */
export function namesById(
  named: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(named.map(({ id, name }) => [id, name]));
}
