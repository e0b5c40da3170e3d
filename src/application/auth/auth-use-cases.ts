import { makeDeny, makeEntryFactory, makeVisitEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { OpenIdProviders } from '#application/ports/auth/openid-providers.ts';
import type { PasskeyCeremonies } from '#application/ports/auth/passkey-ceremonies.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { ApiKeyReader } from '#application/ports/auth/stores/api-key-store.ts';
import type { IdentityProviderReader } from '#application/ports/auth/stores/identity-provider-store.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { PasskeyReader } from '#application/ports/auth/stores/passkey-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Log } from '#application/ports/log.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type CreateApiKey,
  type ListApiKeys,
  makeCreateApiKey,
  makeListApiKeys,
  makeRevokeApiKey,
  type RevokeApiKey,
} from './api-keys.ts';
import {
  type AcceptInvitation,
  type IsEmptyService,
  makeAcceptInvitation,
  makeIsEmptyService,
  makeReadInvitation,
  type ReadInvitation,
} from './links/invitations.ts';
import {
  type ConfirmPasswordReset,
  makeConfirmPasswordReset,
  makeRequestPasswordReset,
  type RequestPasswordReset,
} from './links/password-reset.ts';
import {
  type ConfirmEnrollment,
  makeConfirmEnrollment,
  makeRenewRecoveryCodes,
  makeStartEnrollment,
  type RenewRecoveryCodes,
  type StartEnrollment,
} from './mfa/enroll-mfa.ts';
import { type ChallengeMfa, makeChallengeMfa, type RequireFreshMfa } from './mfa/fresh-mfa.ts';
import { makeCheckCode, makeCountCode } from './mfa/mfa-codes.ts';
import { makeNotifyUser } from './notify-user.ts';
import { makeCheckOwnPasskey, makePasskeyChallenges } from './passkeys/check-passkey.ts';
import {
  type AddPasskey,
  type ListPasskeys,
  makeAddPasskey,
  makeListPasskeys,
  makeRemovePasskey,
  makeStartPasskey,
  type RemovePasskey,
  type StartPasskey,
} from './passkeys/manage-passkeys.ts';
import { makeOfferPasskeys, makeSignInByPasskey, type OfferPasskeys } from './passkeys/sign-in-by-passkey.ts';
import {
  type ChangePassword,
  makeChangePassword,
  makeCheckAccountPassword,
  makeConfirmPerson,
  makeHasProvenRecently,
} from './passwords.ts';
import { makeAdmitPerson, makeLinkPerson } from './providers/admit-person.ts';
import { type FinishVisit, makeFinishVisit } from './providers/finish-visit.ts';
import {
  type ListOwnProviders,
  makeListOwnProviders,
  makeUnlinkProvider,
  type UnlinkProvider,
} from './providers/own-providers.ts';
import { makeVisitProvider, type VisitProvider } from './providers/visit-provider.ts';
import {
  type EndOtherSessions,
  type EndSession,
  type ListSessions,
  makeEndOtherSessions,
  makeEndSession,
  makeListSessions,
} from './sessions/own-sessions.ts';
import {
  makeRefreshSession,
  makeSignOut,
  type RefreshSession,
  type SignOut,
} from './sessions/refresh-session.ts';
import { makeSignIn, type SignIn } from './sessions/sign-in.ts';
import { makeCountSignIn, makeSignInEntryFactory } from './sessions/sign-in-attempts.ts';
import { makeReadProfile, type ReadProfile } from './sessions/signed-in.ts';
import { makeStartSession } from './sessions/start-session.ts';

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
  readonly listSessions: ListSessions;
  readonly endSession: EndSession;
  readonly endOtherSessions: EndOtherSessions;
  readonly changePassword: ChangePassword;
  readonly renewRecoveryCodes: RenewRecoveryCodes;
  readonly listPasskeys: ListPasskeys;
  readonly startPasskey: StartPasskey;
  readonly addPasskey: AddPasskey;
  readonly removePasskey: RemovePasskey;
  readonly offerPasskeys: OfferPasskeys;
  readonly requestPasswordReset: RequestPasswordReset;
  readonly confirmPasswordReset: ConfirmPasswordReset;
  readonly readInvitation: ReadInvitation;
  readonly acceptInvitation: AcceptInvitation;
  readonly isEmptyService: IsEmptyService;
  readonly visitProvider: VisitProvider;
  readonly finishVisit: FinishVisit;
  readonly listOwnProviders: ListOwnProviders;
  readonly unlinkProvider: UnlinkProvider;
}

export interface AuthPorts {
  readonly signIns: SignInStore;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly apiKeys: ApiKeyReader;
  readonly passkeys: PasskeyReader;
  readonly ceremonies: PasskeyCeremonies;
  readonly identityProviderReader: IdentityProviderReader;
  readonly openIdProviders: OpenIdProviders;
  readonly cursors: CursorSigner;
  readonly sessions: SessionReader;
  readonly listTenants: ListTenants;
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
  readonly log: Log;
}

export function makeAuthUseCases(ports: AuthPorts): AuthUseCases {
  const makeEntry = makeEntryFactory(ports);
  const notifyUser = makeNotifyUser(ports);
  const checkAccountPassword = makeCheckAccountPassword(ports);
  const makeSignInEntry = makeSignInEntryFactory(ports);
  const deps = {
    ...ports,
    makeEntry,
    notifyUser,
    deny: makeDeny({ ...ports, makeEntry }),
    makeSignInEntry,
    makeVisitEntry: makeVisitEntryFactory(ports),
    countSignIn: makeCountSignIn(ports),
    countCode: makeCountCode({ ...ports, notifyUser }),
    checkCode: makeCheckCode({ ...ports, notifyUser }),
    checkAccountPassword,
    confirmPerson: makeConfirmPerson({
      ...ports,
      checkAccountPassword,
      hasProvenRecently: makeHasProvenRecently(ports),
    }),
    passkeyChallenges: makePasskeyChallenges(ports),
    startSession: makeStartSession({ ...ports, makeSignInEntry }),
  };
  const checkOwnPasskey = makeCheckOwnPasskey(deps);
  return {
    signIn: makeSignIn({ ...deps, signInByPasskey: makeSignInByPasskey(deps) }),
    refreshSession: makeRefreshSession(deps),
    signOut: makeSignOut(deps),
    readProfile: makeReadProfile(deps),
    startEnrollment: makeStartEnrollment(deps),
    confirmEnrollment: makeConfirmEnrollment(deps),
    challengeMfa: makeChallengeMfa({ ...deps, checkOwnPasskey }),
    createApiKey: makeCreateApiKey(deps),
    listApiKeys: makeListApiKeys(deps),
    revokeApiKey: makeRevokeApiKey(deps),
    listSessions: makeListSessions(deps),
    endSession: makeEndSession(deps),
    endOtherSessions: makeEndOtherSessions(deps),
    changePassword: makeChangePassword(deps),
    renewRecoveryCodes: makeRenewRecoveryCodes(deps),
    listPasskeys: makeListPasskeys(deps),
    startPasskey: makeStartPasskey(deps),
    addPasskey: makeAddPasskey(deps),
    removePasskey: makeRemovePasskey(deps),
    offerPasskeys: makeOfferPasskeys(deps),
    requestPasswordReset: makeRequestPasswordReset(deps),
    confirmPasswordReset: makeConfirmPasswordReset({ ...deps, checkOwnPasskey }),
    readInvitation: makeReadInvitation(deps),
    acceptInvitation: makeAcceptInvitation(deps),
    isEmptyService: makeIsEmptyService(deps),
    visitProvider: makeVisitProvider(deps),
    finishVisit: makeFinishVisit({
      ...deps,
      admitPerson: makeAdmitPerson(deps),
      linkPerson: makeLinkPerson(deps),
    }),
    listOwnProviders: makeListOwnProviders(deps),
    unlinkProvider: makeUnlinkProvider(deps),
  };
}
