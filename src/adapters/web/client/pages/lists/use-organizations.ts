import { useQuery } from '@tanstack/react-query';
import type { Organization } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet/organizations.ts';
import { useApi } from '#console/app/services.ts';

export interface Organizations {
  /** Whether there is more than one to tell apart. */
  readonly isPlural: boolean;
  /** Null: unknown, or not loaded yet. */
  readonly byId: (id: string) => Organization | null;
  readonly partnerName: (partnerId: string) => string | null;
}

/** Names for the ids that lists have. */
export function useOrganizations(): Organizations {
  const { data = [] } = useQuery(organizationsQuery(useApi()));
  return {
    isPlural: data.length > 1,
    byId: (id) => data.find((organization) => organization.id === id) ?? null,
    partnerName: (id) => data.find(({ partnerId }) => partnerId === id)?.partnerName ?? null,
  };
}
