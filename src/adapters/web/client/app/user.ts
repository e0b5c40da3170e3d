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

/** Works only inside the shell, which loads the user. */
export function useUser(): User {
  return useSuspenseQuery(userQuery(useApi())).data;
}

/** Whether they can pass MFA: by a factor here, or by one at their identity provider. */
export function hasFactor({ mfa }: User): boolean {
  return mfa.enrolled || mfa.verifiedAt !== null;
}

export function holds(user: User, permission: string): boolean {
  return user.permissions.includes(permission);
}
