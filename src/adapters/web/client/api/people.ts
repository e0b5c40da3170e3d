/** Contract: §16. */
import { queryOptions } from '@tanstack/react-query';
import type { AccountSession, ApiKey, Person } from '#adapters/http/api-types.ts';
import type { PersonStatus } from '#domain/access/person.ts';
import { type Api, type ApiAnswer, ApiError } from './http.ts';
import { listQuery, type Page, pagesQuery } from './pages.ts';

const PATH = '/users';

export const PEOPLE_KEY = [PATH] as const;

export interface PeopleWanted {
  readonly search?: string | undefined;
  readonly status?: PersonStatus | undefined;
  readonly orgId?: string | undefined;
}

export const peopleQuery = (api: Api, wanted: PeopleWanted) => pagesQuery<Person>(api, PATH, { ...wanted });

export const personQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...PEOPLE_KEY, 'one', id],
    queryFn: ({ signal }) => api.ask<Person>(pathOf(id), { signal }),
  });

/** Null for partner staff limited to some organizations, who cannot read their own record. */
export const ownRecordQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...PEOPLE_KEY, 'own', id],
    queryFn: async ({ signal }) => {
      try {
        return await api.call<Person>(pathOf(id), { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });

const MATRIX_LIMIT = 200;

/** An organization's people, then its partner's staff with access. A null id leaves out that group. */
export const peopleWithAccessQuery = (api: Api, orgId: string | null, partnerId: string | null) =>
  queryOptions({
    queryKey: [...PEOPLE_KEY, 'with-access', orgId, partnerId],
    queryFn: async ({ signal }): Promise<Page<Person>> => {
      const list = (query: { readonly orgId: string } | { readonly partnerId: string }) =>
        api.call<Page<Person>>(PATH, { query: { ...query, limit: MATRIX_LIMIT }, signal });
      const own = orgId === null ? { data: [], nextCursor: null } : await list({ orgId });
      if (partnerId === null) return own;
      const staff = await list({ partnerId });
      const reaching = staff.data.filter(
        ({ orgIds }) => orgId === null || orgIds === null || orgIds.includes(orgId),
      );
      return { data: [...own.data, ...reaching], nextCursor: own.nextCursor ?? staff.nextCursor };
    },
  });

export interface Access extends Pick<Person, 'scope'> {
  readonly orgId?: string;
  readonly partnerId?: string;
  /** Null for all organizations of the partner. */
  readonly orgIds?: readonly string[] | null;
  readonly permissions: readonly string[];
}

export function invitePerson(
  api: Api,
  person: Access & { readonly email: string; readonly name: string },
): Promise<Person> {
  return api.call(PATH, { method: 'POST', body: person });
}

export interface PersonChange extends Partial<Access> {
  readonly name?: string;
  readonly isPlatformAdmin?: boolean;
  readonly status?: 'active' | 'disabled';
}

/** Throws `ApiError` with status 412 if the person has changed. */
export function changePerson(
  api: Api,
  { data: { id }, etag }: ApiAnswer<Person>,
  change: PersonChange,
): Promise<ApiAnswer<Person>> {
  const headers = etag === null ? {} : { 'If-Match': etag };
  return api.ask(pathOf(id), { method: 'PATCH', body: change, headers });
}

export function resendInvitation(api: Api, id: string): Promise<void> {
  return api.call(`${pathOf(id)}/invitation`, { method: 'POST' });
}

export function withdrawInvitation(api: Api, id: string): Promise<void> {
  return api.call(pathOf(id), { method: 'DELETE' });
}

export function resetSecondFactor(api: Api, id: string): Promise<void> {
  return api.call(`${pathOf(id)}/mfa-reset`, { method: 'POST' });
}

export const sessionsOfQuery = (api: Api, id: string) =>
  listQuery<AccountSession>(api, [...PEOPLE_KEY, 'sessions', id], `${pathOf(id)}/sessions`);

/** A null `sessionId` ends all sessions. */
export function endSessionOf(api: Api, id: string, sessionId: string | null): Promise<void> {
  return api.call(`${pathOf(id)}/sessions${sessionId === null ? '' : `/${sessionId}`}`, { method: 'DELETE' });
}

export const keysOfQuery = (api: Api, id: string) =>
  listQuery<ApiKey>(api, [...PEOPLE_KEY, 'api-keys', id], `${pathOf(id)}/api-keys`);

export function revokeKeyOf(api: Api, id: string, keyId: string): Promise<void> {
  return api.call(`${pathOf(id)}/api-keys/${keyId}`, { method: 'DELETE' });
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
