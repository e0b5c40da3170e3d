/** The format of access tokens, shared by issuer and reader (RFC 9068; Contract: §2). */
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const TOKEN_ISSUER = 'urn:fleetsift';
export const TOKEN_AUDIENCE = 'urn:fleetsift:api';
export const TOKEN_TYPE = 'at+jwt';

/** The only algorithm for signing and verifying: Ed25519 under its JOSE name (RFC 8037). */
export const TOKEN_ALGORITHM = 'EdDSA';

export interface AccessTokenClaims {
  readonly userId: UserId;
  /** The session that the token was issued in (claim `sid`). */
  readonly sessionId: string;
  /** The user's auth epoch when the token was issued (claim `aep`); a token of an older epoch is void. */
  readonly authEpoch: number;
  /** When MFA was verified in this session (claim `mfa_at`, whole seconds); null if it was not. */
  readonly mfaVerifiedAt: EpochMs | null;
  /** The user's MFA epoch at that time (claim `mep`); null if MFA was not verified. */
  readonly mfaEpoch: number | null;
}
