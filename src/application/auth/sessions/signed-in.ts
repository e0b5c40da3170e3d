/** What signing in and refreshing give (Contract: §2). */
import { type Profile, profileOfSession } from '#application/auth/profile.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SignInAccount } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Session } from '#domain/access/session.ts';

/** A pair of tokens and their user. */
export interface SignedIn {
  readonly accessToken: string;
  /** Whole seconds until the access token expires. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  /** Whole seconds until the session expires, unless it is refreshed. */
  readonly refreshExpiresIn: number;
  readonly user: Profile;
}

export interface ToSignedInDeps {
  readonly issueAccessToken: IssueAccessToken;
  readonly clock: Clock;
}

/** Issues the access token of a session. */
export async function toSignedIn(
  { issueAccessToken, clock }: ToSignedInDeps,
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
  return {
    ...{ accessToken: token, expiresIn, refreshToken },
    refreshExpiresIn: Math.ceil((session.expiresAt - clock()) / 1_000),
    user: profileOfSession(account, session),
  };
}
