/** What signing in and refreshing give (Contract: §2). */
import { type Profile, profileOfSession } from '#application/auth/profile.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SignInAccount } from '#application/ports/auth/sign-in-store.ts';
import type { Session } from '#domain/access/session.ts';

/** A pair of tokens and their user. */
export interface SignedIn {
  readonly accessToken: string;
  /** Whole seconds until the access token expires. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly user: Profile;
}

/** Issues the access token of a session. */
export async function toSignedIn(
  issueAccessToken: IssueAccessToken,
  account: SignInAccount,
  session: Session,
  refreshToken: string,
): Promise<SignedIn> {
  const { token, expiresIn } = await issueAccessToken({
    userId: session.userId,
    sessionId: session.id,
    authEpoch: session.authEpoch,
    mfa: session.mfa,
  });
  return { accessToken: token, expiresIn, refreshToken, user: profileOfSession(account, session) };
}
