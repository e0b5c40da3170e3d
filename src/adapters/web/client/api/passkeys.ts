/** Contract: §16. */
import type { AddedPasskey, Passkey } from '#adapters/http/api-types.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';
import { inBrowser } from './passkey-ceremony.ts';

export const passkeysQuery = (api: Api) => listQuery<Passkey>(api, ['passkeys'], '/auth/passkeys');

/** `password` is null after a recent second factor, and for people without a password. */
export async function addPasskey(api: Api, name: string, password: string | null): Promise<AddedPasskey> {
  const body = password === null ? {} : { password };
  const optionsJSON = await api.call<never>('/auth/passkeys/options', { method: 'POST', body });
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await inBrowser(() => startRegistration({ optionsJSON }));
  return api.call('/auth/passkeys', { method: 'POST', body: { response, name } });
}

export function removePasskey(api: Api, id: string): Promise<void> {
  return api.call(`/auth/passkeys/${id}`, { method: 'DELETE' });
}
