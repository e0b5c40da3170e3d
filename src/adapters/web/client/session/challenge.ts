import { ApiError, postJson, readJson } from '#console/api/http.ts';
import type { Session } from '#console/api/session.ts';

/** Throws `ApiError` such as `invalid_mfa_code`. */
export async function challenge(
  session: Session,
  proof: { readonly code: string } | { readonly passkey: unknown },
): Promise<void> {
  // Bypasses `Api`, which would open another step-up dialog for a refused code.
  const post = async () =>
    postJson('/api/v1/auth/mfa/challenge', proof, { Authorization: `Bearer ${await session.token()}` });
  const response = await post().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
    if (session.state.kind === 'ended') throw error;
    // The token may only have expired. If the session has ended, `renew` throws.
    await session.renew();
    return post();
  });
  session.take(await readJson(response));
}

/** Apps group codes with spaces (`123 456`). */
export function typedCode(typed: string): string {
  return typed.replaceAll(/\s/g, '');
}
