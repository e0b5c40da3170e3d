/** Sessions, second factors and API keys as JSON text, field by field (Contract: §2). */
import type { CreatedApiKey } from '#application/auth/api-keys/manage-api-keys.ts';
import type { EnrollmentOffer } from '#application/auth/mfa/enroll-mfa.ts';
import type { Profile } from '#application/auth/profile.ts';
import type { OwnSession } from '#application/auth/sessions/own-sessions.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { IssuedAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import { printInstant, printInstantOrNull } from '#domain/text/print-instant.ts';

const TOKEN_TYPE = 'Bearer';

/** `{accessToken, tokenType, expiresIn, refreshToken, user}`. */
export function presentSignedIn({ accessToken, expiresIn, refreshToken, user }: SignedIn): string {
  return JSON.stringify({
    accessToken,
    tokenType: TOKEN_TYPE,
    expiresIn,
    refreshToken,
    user: profileMembers(user),
  });
}

/** The same without the refresh token, which is in a cookie. */
export function presentBrowserSession({ accessToken, expiresIn, user }: SignedIn): string {
  return JSON.stringify({ accessToken, tokenType: TOKEN_TYPE, expiresIn, user: profileMembers(user) });
}

/** Who the caller is. */
export function presentProfile(profile: Profile): string {
  return JSON.stringify(profileMembers(profile));
}

/** `{secret, otpauthUri}`. */
export function presentEnrollment({ secret, otpauthUri }: EnrollmentOffer): string {
  return JSON.stringify({ secret, otpauthUri });
}

/** `{recoveryCodes}`. */
export function presentRecoveryCodes(recoveryCodes: readonly string[]): string {
  return JSON.stringify({ recoveryCodes });
}

/** `{accessToken, tokenType, expiresIn}`. */
export function presentAccessToken({ token, expiresIn }: IssuedAccessToken): string {
  return JSON.stringify({ accessToken: token, tokenType: TOKEN_TYPE, expiresIn });
}

/** The only answer that contains the key itself. */
export function presentCreatedApiKey({ summary, key }: CreatedApiKey): string {
  return JSON.stringify({ ...apiKeyMembers(summary), key });
}

/** `{data}`. */
export function presentSessions(sessions: readonly OwnSession[]): string {
  const data = sessions.map(({ id, createdAt, lastUsedAt, ip, userAgent, isCurrent }) => ({
    id,
    createdAt: printInstant(createdAt),
    lastUsedAt: printInstant(lastUsedAt),
    ip,
    userAgent,
    current: isCurrent,
  }));
  return JSON.stringify({ data });
}

/** `{data, total}`. */
export function presentApiKeys(keys: readonly ApiKeySummary[]): string {
  return JSON.stringify({ data: keys.map(apiKeyMembers), total: keys.length });
}

function profileMembers(profile: Profile): object {
  const { userId, email, name, scope, permissions, isPlatformAdmin, isMfaEnrolled, mfaVerifiedAt } = profile;
  return {
    id: userId,
    email,
    name,
    scope: scope.kind,
    orgId: scope.kind === 'organization' ? scope.orgId : null,
    partnerId: scope.kind === 'partner' ? scope.partnerId : null,
    permissions: [...permissions],
    isPlatformAdmin,
    mfa: { enrolled: isMfaEnrolled, verifiedAt: printInstantOrNull(mfaVerifiedAt) },
  };
}

function apiKeyMembers({ id, name, orgId, permissions, expiresAt, createdAt }: ApiKeySummary): object {
  return {
    id,
    name,
    orgId,
    permissions: [...permissions],
    expiresAt: printInstantOrNull(expiresAt),
    createdAt: printInstant(createdAt),
  };
}
