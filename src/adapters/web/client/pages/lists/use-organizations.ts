import { useQuery } from '@tanstack/react-query';
import type { Organization } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';

export interface Organizations {
  readonly isPlural: boolean;
  /** Null: unknown, or not loaded yet. */
  readonly byId: (id: string) => Organization | null;
  readonly partnerName: (partnerId: string) => string | null;
}

export function useOrganizations(): Organizations {
  const { data = [] } = useQuery(organizationsQuery(useApi()));
  return {
    isPlural: data.length > 1,
    byId: (id) => data.find((organization) => organization.id === id) ?? null,
    partnerName: (id) => data.find(({ partnerId }) => partnerId === id)?.partnerName ?? null,
  };
}
