/** What somebody does with their own account: second factor, password, sessions (Contract: §2, §14). */
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/types.ts';

export interface AccountSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Whether it is the one that asks. */
  readonly current: boolean;
}

/** A factor that is not in use yet. */
export interface EnrollmentOffer {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUri: string;
}

interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

export const sessionsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await api.call<List<AccountSession>>('/auth/sessions', { signal })).data,
  });

export function endSession(api: Api, id: string): Promise<void> {
  return api.call(`/auth/sessions/${id}`, { method: 'DELETE' });
}

/** All but this one. */
export function endOtherSessions(api: Api): Promise<void> {
  return api.call('/auth/sessions', { method: 'DELETE' });
}

export function changePassword(api: Api, currentPassword: string, newPassword: string): Promise<void> {
  return api.call('/auth/password', { method: 'POST', body: { currentPassword, newPassword } });
}

export function startEnrollment(api: Api, password: string): Promise<EnrollmentOffer> {
  return api.call('/auth/mfa/enroll', { method: 'POST', body: { password } });
}

export async function confirmEnrollment(api: Api, code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await api.call<RecoveryCodes>('/auth/mfa/enroll/confirm', {
    method: 'POST',
    body: { code },
  });
  return recoveryCodes;
}

/** New ones; the old ones are void. */
export async function renewRecoveryCodes(api: Api): Promise<readonly string[]> {
  const { recoveryCodes } = await api.call<RecoveryCodes>('/auth/mfa/recovery-codes', { method: 'POST' });
  return recoveryCodes;
}
