/** Contract: §16. */
import type { OwnProvider } from '#adapters/http/api-types.ts';
import { BASE_PATH } from './base-path.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';

export interface ProviderVisit {
  readonly email?: string;
  readonly provider?: string;
  /** The console page to return to. */
  readonly next?: string | undefined;
  /** Makes the provider ask for the credentials again. */
  readonly fresh?: 'true';
}

export function visitProvider({ next, ...visit }: ProviderVisit): void {
  const query = new URLSearchParams({ ...visit, ...(next !== undefined && { next }) });
  window.location.assign(`${BASE_PATH}/api/v1/auth/oidc/start?${query}`);
}

export function currentAddress(): string {
  const { pathname, search } = window.location;
  return `${pathname.slice(BASE_PATH.length)}${search}`;
}

export const ownProvidersQuery = (api: Api) =>
  listQuery<OwnProvider>(api, ['own-providers'], '/auth/identity-providers');

export async function linkProvider(api: Api, id: string): Promise<void> {
  const { location } = await api.call<{ readonly location: string }>('/auth/oidc/start', {
    query: { provider: id, link: 'true' },
    headers: { Accept: 'application/json' },
  });
  window.location.assign(location);
}

export function unlinkProvider(api: Api, id: string): Promise<void> {
  return api.call(`/auth/identity-providers/${id}`, { method: 'DELETE' });
}
