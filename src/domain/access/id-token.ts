/** What an ID token says about a person. Signature, issuer, audience, nonce and times are already checked. */
import type { EpochMs } from '#domain/time.ts';

/** The claims as sent; their types are unchecked. */
export type IdTokenClaims = Readonly<Record<string, unknown>>;

export interface IdTokenFacts {
  /** Identifies the person at the provider, permanently. */
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** Methods of the sign-in (RFC 8176). */
  readonly amr: readonly string[];
  readonly acr: string | null;
  /** The last sign-in at the provider; null if unknown. */
  readonly signedInAt: EpochMs | null;
  /** Empty if the claim is absent. Entra omits it if a person has more groups than a token holds. */
  readonly groups: readonly string[];
}

/** Null if there is no usable `sub`. Claims of a wrong type count as absent. */
export function readIdToken(claims: IdTokenClaims, groupsClaim: string | null): IdTokenFacts | null {
  const subject = claims.sub;
  // OpenID Connect Core, section 2: at most 255 ASCII characters.
  if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject)) return null;
  const authTime = claims.auth_time;
  return {
    subject,
    email: textIn(claims, 'email'),
    isEmailVerified: isVerified(claims),
    name: nameIn(claims),
    amr: textsOf(claims.amr),
    acr: textIn(claims, 'acr'),
    signedInAt: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime * 1_000 : null,
    groups: groupsClaim === null ? [] : textsOf(claimAt(claims, groupsClaim)),
  };
}

/**
 * Entra has no `email_verified`, because a directory's administrators can write any address. Its optional `xms_edov`
 * says whether the email's domain is verified.
 */
function isVerified(claims: IdTokenClaims): boolean {
  const claim = claims.email_verified ?? claims.xms_edov;
  return typeof claim !== 'object' && ['true', '1'].includes(String(claim));
}

function nameIn(claims: IdTokenClaims): string | null {
  const parts = [textIn(claims, 'given_name'), textIn(claims, 'family_name')].filter((part) => part !== null);
  return textIn(claims, 'name') ?? (parts.length === 0 ? null : parts.join(' '));
}

/** Tries the whole `path` as a claim's name first, because names may contain dots, as URLs do. */
function claimAt(claims: IdTokenClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: unknown = claims;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as IdTokenClaims)[key];
  }
  return found;
}

function textIn(claims: IdTokenClaims, name: string): string | null {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Some providers send a single value as a bare string instead of a list. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string');
}
