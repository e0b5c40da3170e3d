/** What a user learns by signing in: tokens and profile (Contract: §2). */

import type { Call } from '#application/call.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface Profile {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
  readonly isMfaEnrolled: boolean;
  readonly mfaVerifiedAt: EpochMs | null;
}

/** With an API key, scope and permissions are the key's. */
export function profileOfCaller(caller: Caller, { principal, email, name }: SignInAccount): Profile {
  const { userId, scope, permissions, isPlatformAdmin, credential } = caller;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin },
    isMfaEnrolled: principal.isMfaEnrolled,
    mfaVerifiedAt: credential.kind === 'session' ? credential.mfaVerifiedAt : null,
  };
}

/** Says the same as a token issued now. */
export function profileOfSession({ principal, email, name }: SignInAccount, { mfa }: Session): Profile {
  const { userId, scope, permissions, isPlatformAdmin, isMfaEnrolled, mfaEpoch } = principal;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin, isMfaEnrolled },
    mfaVerifiedAt: mfa !== null && mfa.epoch === mfaEpoch ? mfa.verifiedAt : null,
  };
}

/** Null if the user was erased or disabled after the request was authenticated. */
export type ReadProfile = (call: Call) => Promise<Profile | null>;

export function makeReadProfile({ signIns }: { readonly signIns: SignInStore }): ReadProfile {
  return async ({ caller }) => {
    const account = await signIns.findById(caller.userId);
    return account === null ? null : profileOfCaller(caller, account);
  };
}

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
