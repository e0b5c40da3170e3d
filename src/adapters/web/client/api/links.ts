/** Routes for visitors without a session (Contract: §16). */
import { queryOptions } from '@tanstack/react-query';
import type { FirstRun, Invitation } from '#adapters/http/api-types.ts';
import { postJson, readJson, sendOrThrow } from './http.ts';

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: async () => readJson<Invitation>(await post('/invitation', { token })),
  });

export const firstRunQuery = queryOptions({
  queryKey: ['first-run'],
  queryFn: async () => readJson<FirstRun>(await sendOrThrow('/api/v1/auth/first-run', {})),
});

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly email?: string;
  readonly partnerName?: string;
  readonly organizationName?: string;
}

export async function acceptInvitation(acceptance: Acceptance): Promise<void> {
  await post('/invitation/accept', acceptance);
}

export async function requestPasswordReset(email: string): Promise<void> {
  await post('/password-reset', { email });
}

/** Throws `ApiError` `mfa_required` if `proof` is missing. */
export async function confirmPasswordReset(
  token: string,
  newPassword: string,
  proof: { readonly code?: string; readonly passkey?: unknown },
): Promise<void> {
  await post('/password-reset/confirm', { token, newPassword, ...proof });
}

function post(path: string, body: object): Promise<Response> {
  return postJson(`/api/v1/auth${path}`, body);
}
