/** Passkeys of the signed-in person, and the ceremonies of this browser (Contract: §16). */
import { queryOptions } from '@tanstack/react-query';
import type { AddedPasskey, Passkey } from '#adapters/http/api-types.ts';
import { type Api, ApiError, send, toApiError } from './http.ts';
import type { List } from './pages.ts';

/** False in browsers without WebAuthn, and at addresses that are neither https nor localhost. */
export const CAN_USE_PASSKEYS = typeof window.PublicKeyCredential === 'function';

export const passkeysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: async ({ signal }) => (await api.call<List<Passkey>>('/auth/passkeys', { signal })).data,
  });

/** `password` is null with fresh MFA. */
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

/** The browser's answer for `{passkey}`. */
export async function provePasskey(): Promise<unknown> {
  const response = await send('/api/v1/auth/passkey/options', { method: 'POST' });
  if (!response.ok) throw await toApiError(response);
  const optionsJSON = await response.json();
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return inBrowser(() => startAuthentication({ optionsJSON }));
}

/** Browsers tell pages little about a failure, so that no page can probe for passkeys. */
async function inBrowser<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new ApiError({
      status: 0,
      code: 'passkey_failed',
      detail: FAULTS[name] ?? FAULTS['NotAllowedError'] ?? '',
    });
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. The browser’s question was closed, or took too long.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError:
    'Browsers use no passkeys at this address. Open the console by its host name, with https, or as localhost.',
};
