/** What somebody gets who signs in or refreshes (Contract: §2). */
import { type Profile, profileOfSession } from '#application/auth/profile.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SignInAccount } from '#application/ports/auth/sign-in-store.ts';
import type { Session } from '#domain/access/session.ts';

export interface SignedIn {
  readonly accessToken: string;
  /** Seconds until the access token expires, whole. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly user: Profile;
}

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
