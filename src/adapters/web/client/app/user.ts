import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { User } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import { useApi } from './services.ts';

export const userQuery = (api: Api) =>
  queryOptions({
    queryKey: ['user'],
    queryFn: ({ signal }) => api.call<User>('/auth/me', { signal }),
    staleTime: 60_000,
  });

/** Never suspends, because the shell loads the user first. */
export function useUser(): User {
  return useSuspenseQuery(userQuery(useApi())).data;
}

/** A second factor at the identity provider counts too. */
export function hasFactor({ mfa }: User): boolean {
  return mfa.enrolled || mfa.verifiedAt !== null;
}

export function holds(user: User, permission: string): boolean {
  return user.permissions.includes(permission);
}
