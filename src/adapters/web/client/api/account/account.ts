import { queryOptions } from '@tanstack/react-query';
import type { AccountSession, Enrollment, RecoveryCodes } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

export const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await api.call<List<AccountSession>>('/auth/sessions', { signal })).data,
  });

export function endSession(api: Api, id: string): Promise<void> {
  return api.call(`/auth/sessions/${id}`, { method: 'DELETE' });
}

export function endOtherSessions(api: Api): Promise<void> {
  return api.call('/auth/sessions', { method: 'DELETE' });
}

export function changePassword(api: Api, currentPassword: string, newPassword: string): Promise<void> {
  return api.call('/auth/password', { method: 'POST', body: { currentPassword, newPassword } });
}

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
