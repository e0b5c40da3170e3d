/** Proves a second factor for this session. */
import { send, toApiError, unbroken } from '#console/api/http.ts';
import type { Session } from '#console/api/session.ts';

/** Throws `ApiError`, such as `invalid_mfa_code`. */
export async function challenge(session: Session, code: string): Promise<void> {
  // Not through `Api`, which would ask for a code where a code is refused.
  const post = async () =>
    send('/api/v1/auth/mfa/challenge', {
      method: 'POST',
      headers: { Authorization: `Bearer ${await session.token()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  let response = await post();
  if (!response.ok) {
    const error = await toApiError(response);
    if (error.code !== 'unauthenticated') throw error;
    // The token has run out, or the session has ended, which this finds out.
    await session.renew();
    response = await post();
  }
  if (!response.ok) throw await toApiError(response);
  session.take(await unbroken(response, response.json()));
}

/** A code as apps and papers write it, in groups: `123 456`. The service takes no spaces. */
export function typedCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}
