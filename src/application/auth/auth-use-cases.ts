/** Everything that can be done with sessions, second factors and API keys, made from the ports it needs. */
import { makeMakeEntry } from '#application/audit/make-entry.ts';
import type { IssueAccessToken } from '#application/ports/access-token-issuer.ts';
import type { ApiKeyReader } from '#application/ports/api-key-store.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { PasswordHasher } from '#application/ports/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/password-verifier.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { SecretGenerator } from '#application/ports/secret-generator.ts';
import type { SignInStore } from '#application/ports/sign-in-store.ts';
import type { Totp } from '#application/ports/totp.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type ChallengeMfa, makeChallengeMfa } from './challenge-mfa.ts';
import { makeCheckCode } from './check-code.ts';
import { makeCheckAccountPassword } from './check-password.ts';
import {
  type ConfirmEnrollment,
  makeConfirmEnrollment,
  makeStartEnrollment,
  type StartEnrollment,
} from './enroll-mfa.ts';
import {
  type CreateApiKey,
  type ListApiKeys,
  makeCreateApiKey,
  makeListApiKeys,
  makeRevokeApiKey,
  type RevokeApiKey,
} from './manage-api-keys.ts';
import { makeReadProfile, type ReadProfile } from './read-profile.ts';
import { makeRefreshSession, type RefreshSession } from './refresh-session.ts';
import type { RequireFreshMfa } from './require-fresh-mfa.ts';
import { makeSignIn, type SignIn } from './sign-in.ts';
import { makeMakeSignInEntry } from './sign-in-entry.ts';
import { makeSignOut, type SignOut } from './sign-out.ts';

export interface AuthUseCases {
  readonly signIn: SignIn;
  readonly refreshSession: RefreshSession;
  readonly signOut: SignOut;
  readonly readProfile: ReadProfile;
  readonly startEnrollment: StartEnrollment;
  readonly confirmEnrollment: ConfirmEnrollment;
  readonly challengeMfa: ChallengeMfa;
  readonly createApiKey: CreateApiKey;
  readonly listApiKeys: ListApiKeys;
  readonly revokeApiKey: RevokeApiKey;
}

export interface AuthPorts {
  readonly signIns: SignInStore;
  readonly apiKeys: ApiKeyReader;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly issueAccessToken: IssueAccessToken;
  readonly verifyPassword: PasswordVerifier;
  readonly hashPassword: PasswordHasher;
  readonly totp: Totp;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeAuthUseCases(ports: AuthPorts): AuthUseCases {
  const deps = {
    ...ports,
    makeEntry: makeMakeEntry(ports),
    makeSignInEntry: makeMakeSignInEntry(ports),
    checkCode: makeCheckCode(ports),
    checkAccountPassword: makeCheckAccountPassword(ports),
  };
  return {
    signIn: makeSignIn(deps),
    refreshSession: makeRefreshSession(deps),
    signOut: makeSignOut(deps),
    readProfile: makeReadProfile(deps),
    startEnrollment: makeStartEnrollment(deps),
    confirmEnrollment: makeConfirmEnrollment(deps),
    challengeMfa: makeChallengeMfa(deps),
    createApiKey: makeCreateApiKey(deps),
    listApiKeys: makeListApiKeys(deps),
    revokeApiKey: makeRevokeApiKey(deps),
  };
}
