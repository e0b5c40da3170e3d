import { send, toApiError, unbroken } from '#console/api/http.ts';
import type { Session } from '#console/api/session.ts';

/** Throws `ApiError`, such as `invalid_mfa_code`. */
export async function challenge(
  session: Session,
  proof: { readonly code: string } | { readonly passkey: unknown },
): Promise<void> {
  // Not through `Api`, which would open another step-up dialog when a code is refused.
  const post = async () =>
    send('/api/v1/auth/mfa/challenge', {
      method: 'POST',
      headers: { Authorization: `Bearer ${await session.token()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(proof),
    });
  let response = await post();
  if (!response.ok) {
    const error = await toApiError(response);
    if (error.code !== 'unauthenticated') throw error;
    // Either the token has expired or the session has ended; renewing tells which.
    await session.renew();
    response = await post();
  }
  if (!response.ok) throw await toApiError(response);
  session.take(await unbroken(response, response.json()));
}

/** Apps show codes in groups (`123 456`); the service takes no spaces. */
export function typedCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}
