import type { CreatedApiKey as NewKey } from '#application/auth/api-keys.ts';
import type { EnrollmentOffer } from '#application/auth/mfa/enroll-mfa.ts';
import type { AddedPasskey as NewPasskey } from '#application/auth/passkeys/manage-passkeys.ts';
import type { OwnSession } from '#application/auth/sessions/own-sessions.ts';
import type { Profile, SignedIn as SignInFacts } from '#application/auth/sessions/signed-in.ts';
import type { IssuedAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import type { Passkey as StoredPasskey } from '#domain/access/passkey.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import type {
  AccessToken,
  AccountSession,
  AddedPasskey,
  ApiKey,
  BrowserSession,
  CreatedApiKey,
  Enrollment,
  Passkey,
  RecoveryCodes,
  SignedIn,
  UserProfile,
} from './auth-shapes.ts';

export function presentSignedIn({ refreshToken, ...signedIn }: SignInFacts): string {
  return JSON.stringify({ ...toBrowserSession(signedIn), refreshToken } satisfies SignedIn);
}

export function presentBrowserSession(signedIn: SignInFacts): string {
  return JSON.stringify(toBrowserSession(signedIn));
}

export function presentProfile(profile: Profile): string {
  return JSON.stringify(toProfile(profile));
}

export function presentEnrollment({ secret, otpauthUri }: EnrollmentOffer): string {
  return JSON.stringify({ secret, otpauthUri } satisfies Enrollment);
}

export function presentRecoveryCodes(recoveryCodes: readonly string[]): string {
  return JSON.stringify({ recoveryCodes } satisfies RecoveryCodes);
}

export function presentAccessToken({ token, expiresIn }: IssuedAccessToken): string {
  return JSON.stringify({ accessToken: token, tokenType: 'Bearer', expiresIn } satisfies AccessToken);
}

export function presentCreatedApiKey({ summary, key }: NewKey): string {
  return JSON.stringify({ ...toApiKey(summary), key } satisfies CreatedApiKey);
}

export function presentSessions(sessions: readonly OwnSession[]): string {
  const data = sessions.map(
    ({ id, createdAt, lastUsedAt, ip, userAgent, isCurrent }): AccountSession => ({
      id,
      createdAt: printInstant(createdAt),
      lastUsedAt: printInstant(lastUsedAt),
      ip,
      userAgent,
      current: isCurrent,
    }),
  );
  return JSON.stringify({ data });
}

export function presentApiKeys(keys: readonly ApiKeySummary[]): string {
  return JSON.stringify({ data: keys.map(toApiKey), total: keys.length });
}

function toBrowserSession(signedIn: Pick<SignInFacts, 'accessToken' | 'expiresIn' | 'user'>): BrowserSession {
  const { accessToken, expiresIn, user } = signedIn;
  return {
    accessToken,
    tokenType: 'Bearer',
    expiresIn,
    user: { ...toProfile(user), email: user.email, name: user.name },
  };
}

function toProfile(profile: Profile): UserProfile {
  const { userId, email, name, scope, permissions, isPlatformAdmin, isMfaEnrolled, mfaVerifiedAt } = profile;
  return {
    id: userId,
    email,
    name,
    scope: scope.kind,
    orgId: scope.kind === 'organization' ? scope.orgId : null,
    partnerId: scope.kind === 'partner' ? scope.partnerId : null,
    isWholePartner: scope.kind === 'partner' && scope.isWhole,
    permissions: [...permissions],
    isPlatformAdmin,
    mfa: { enrolled: isMfaEnrolled, verifiedAt: printInstantOrNull(mfaVerifiedAt) },
    ...(profile.isPasswordless && { passwordless: true }),
  };
}

function toApiKey({ id, name, orgId, permissions, expiresAt, createdAt }: ApiKeySummary): ApiKey {
  return {
    id,
    name,
    orgId,
    permissions: [...permissions],
    expiresAt: printInstantOrNull(expiresAt),
    createdAt: printInstant(createdAt),
  };
}

export function presentPasskeys(passkeys: readonly StoredPasskey[]): string {
  const data = passkeys.map(
    (passkey): Passkey => ({
      ...toNamed(passkey),
      lastUsedAt: printInstantOrNull(passkey.lastUsedAt),
      backedUp: passkey.isBackedUp,
    }),
  );
  return JSON.stringify({ data });
}

export function presentAddedPasskey({ passkey, recoveryCodes }: NewPasskey): string {
  return JSON.stringify({
    ...toNamed(passkey),
    ...(recoveryCodes !== null && { recoveryCodes }),
  } satisfies AddedPasskey);
}

function toNamed({ id, name, createdAt }: StoredPasskey): Pick<Passkey, 'id' | 'name' | 'createdAt'> {
  return { id, name, createdAt: printInstant(createdAt) };
}
