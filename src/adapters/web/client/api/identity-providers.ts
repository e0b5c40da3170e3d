/** Contract: §16. */
import type { IdentityProvider } from '#adapters/http/api-types.ts';
import { BASE_PATH } from './base-path.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';

const PATH = '/identity-providers';

export const identityProvidersQuery = (api: Api) => listQuery<IdentityProvider>(api, [PATH], PATH);

export interface ProviderSettings
  extends Omit<IdentityProvider, 'id' | 'issuer' | 'orgId' | 'partnerId' | 'domains' | 'createdAt'> {
  readonly domains: readonly { readonly domain: string }[];
  /** If absent, the current secret stays. */
  readonly clientSecret?: string;
}

export interface NewProvider extends ProviderSettings {
  readonly issuer: string;
  readonly orgId?: string;
  readonly partnerId?: string;
}

export function createProvider(api: Api, provider: NewProvider): Promise<IdentityProvider> {
  return api.call(PATH, { method: 'POST', body: provider });
}

export function changeProvider(api: Api, id: string, settings: ProviderSettings): Promise<IdentityProvider> {
  return api.call(`${PATH}/${id}`, { method: 'PATCH', body: settings });
}

export function deleteProvider(api: Api, id: string): Promise<void> {
  return api.call(`${PATH}/${id}`, { method: 'DELETE' });
}

/** Domains without the DNS record stay unverified. */
export function verifyDomains(api: Api, id: string): Promise<IdentityProvider> {
  return api.call(`${PATH}/${id}/domains/verify`, { method: 'POST' });
}

export function signInLink(id: string): string {
  return `${window.location.origin}${BASE_PATH}/api/v1/auth/oidc/start?provider=${id}`;
}

/** The first address is for providers that send `iss` with their answers, the second for all others. */
export function redirectAddresses(id: string): readonly string[] {
  const shared = `${window.location.origin}${BASE_PATH}/api/v1/auth/oidc/callback`;
  return [shared, `${shared}/${id}`];
}
