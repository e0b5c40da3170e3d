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
  /** Null if the user has no account here. */
  readonly email: string | null;
  readonly name: string | null;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
  readonly isMfaEnrolled: boolean;
  readonly mfaVerifiedAt: EpochMs | null;
  /** True for people without a password, who confirm changes by passkey or provider. */
  readonly isPasswordless: boolean;
}

export interface OwnProfile extends Profile {
  readonly email: string;
  readonly name: string;
}

/** With an API key, scope and permissions are the key's. */
export function profileOfCaller(caller: Caller, account: SignInAccount | null): Profile {
  const { userId, scope, permissions, isPlatformAdmin, credential } = caller;
  const { email = null, name = null } = account ?? {};
  const isEnrolled = credential.kind === 'session' && credential.isMfaEnrolled;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin },
    isMfaEnrolled: account?.principal.isMfaEnrolled ?? isEnrolled,
    mfaVerifiedAt: credential.kind === 'session' ? credential.mfaVerifiedAt : null,
    isPasswordless: account?.passwordHash === null,
  };
}

export function profileOfSession(account: SignInAccount, { mfa }: Session): OwnProfile {
  const { email, name, principal, passwordHash } = account;
  const { userId, scope, permissions, isPlatformAdmin, isMfaEnrolled, mfaEpoch } = principal;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin, isMfaEnrolled },
    mfaVerifiedAt: mfa !== null && mfa.epoch === mfaEpoch ? mfa.verifiedAt : null,
    isPasswordless: passwordHash === null,
  };
}

/** Also works for users of an embedding program, who have no account here. */
export type ReadProfile = (call: Call) => Promise<Profile>;

export function makeReadProfile({ signIns }: { readonly signIns: SignInStore }): ReadProfile {
  return async ({ caller }) => profileOfCaller(caller, await signIns.findById(caller.userId));
}

export interface SignedIn {
  readonly accessToken: string;
  /** In seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  /** Seconds until the session expires without a refresh. */
  readonly refreshExpiresIn: number;
  readonly user: OwnProfile;
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
