/** Contract: §16. */
import { queryOptions } from '@tanstack/react-query';
import type { Partner } from '#adapters/http/api-types.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';

/** Only for callers of system scope. */
export const partnersQuery = (api: Api) =>
  queryOptions({ ...listQuery<Partner>(api, ['partners'], '/partners'), staleTime: 60_000 });

const PATHS = { organization: '/organizations', partner: '/partners', site: '/sites' } as const;

export type PlaceKind = keyof typeof PATHS;

export interface NewPlace {
  readonly name: string;
  readonly orgId?: string;
  readonly partnerId?: string;
}

/** Throws `ApiError` `name_taken`. */
export function createPlace(api: Api, kind: PlaceKind, place: NewPlace): Promise<{ readonly id: string }> {
  return api.call(PATHS[kind], { method: 'POST', body: place });
}

export function renamePlace(api: Api, kind: PlaceKind, id: string, name: string): Promise<void> {
  return api.call(`${PATHS[kind]}/${id}`, { method: 'PATCH', body: { name } });
}

/** Throws `ApiError` `not_empty` for an organization with devices, people or filters. */
export function deletePlace(api: Api, kind: 'organization' | 'site', id: string): Promise<void> {
  return api.call(`${PATHS[kind]}/${id}`, { method: 'DELETE' });
}
