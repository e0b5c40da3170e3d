/** What a signed-in user is shown about themselves (GET /auth/me; Contract: §2). */
import type { SignInAccount } from '#application/ports/auth/stores/sign-in-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** The user, with scope, permissions and MFA state. */
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

/** With an API key, the scope and permissions are the key's. */
export function profileOfCaller(caller: Caller, { principal, email, name }: SignInAccount): Profile {
  const { userId, scope, permissions, isPlatformAdmin, credential } = caller;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin },
    isMfaEnrolled: principal.isMfaEnrolled,
    mfaVerifiedAt: credential.kind === 'session' ? credential.mfaVerifiedAt : null,
  };
}

/** The same as a token issued now will say. */
export function profileOfSession({ principal, email, name }: SignInAccount, { mfa }: Session): Profile {
  const { userId, scope, permissions, isPlatformAdmin, isMfaEnrolled, mfaEpoch } = principal;
  return {
    ...{ userId, email, name, scope, permissions, isPlatformAdmin, isMfaEnrolled },
    mfaVerifiedAt: mfa !== null && mfa.epoch === mfaEpoch ? mfa.verifiedAt : null,
  };
}
