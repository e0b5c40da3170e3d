import type {
  AccountSession,
  ApiKey,
  CreatedApiKey,
  Enrollment,
  RecoveryCodes,
} from '#adapters/http/api-types.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';

export const sessionsQuery = (api: Api) => listQuery<AccountSession>(api, ['sessions'], '/auth/sessions');

export function endSession(api: Api, id: string): Promise<void> {
  return api.call(`/auth/sessions/${id}`, { method: 'DELETE' });
}

export function endOtherSessions(api: Api): Promise<void> {
  return api.call('/auth/sessions', { method: 'DELETE' });
}

export function changePassword(api: Api, currentPassword: string, newPassword: string): Promise<void> {
  return api.call('/auth/password', { method: 'POST', body: { currentPassword, newPassword } });
}

/** People without a password send an empty one. The API then requires a recent sign-in. */
export function startEnrollment(api: Api, password: string): Promise<Enrollment> {
  return api.call('/auth/mfa/enroll', { method: 'POST', body: { password } });
}

export async function confirmEnrollment(api: Api, code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await api.call<RecoveryCodes>('/auth/mfa/enroll/confirm', {
    method: 'POST',
    body: { code },
  });
  return recoveryCodes;
}

/** The old codes stop working. */
export async function renewRecoveryCodes(api: Api): Promise<readonly string[]> {
  const { recoveryCodes } = await api.call<RecoveryCodes>('/auth/mfa/recovery-codes', { method: 'POST' });
  return recoveryCodes;
}

export type ApiKeyRecord = Pick<ApiKey, 'name' | 'permissions' | 'expiresAt'>;

export const apiKeysQuery = (api: Api) => listQuery<ApiKey>(api, ['api-keys'], '/auth/api-keys');

export function createApiKey(api: Api, key: ApiKeyRecord): Promise<CreatedApiKey> {
  return api.call('/auth/api-keys', { method: 'POST', body: key });
}

export function revokeApiKey(api: Api, id: string): Promise<void> {
  return api.call(`/auth/api-keys/${id}`, { method: 'DELETE' });
}
