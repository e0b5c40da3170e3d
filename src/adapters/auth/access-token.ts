/** The format of access tokens, shared by issuer and reader (RFC 9068; Contract: §2). */
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const TOKEN_ISSUER = 'urn:fleetsift';
export const TOKEN_AUDIENCE = 'urn:fleetsift:api';
export const TOKEN_TYPE = 'at+jwt';

/** The only algorithm: Ed25519 under its JOSE name (RFC 8037). */
export const TOKEN_ALGORITHM = 'EdDSA';

export interface AccessTokenClaims {
  readonly userId: UserId;
  /** Claim `sid`. */
  readonly sessionId: string;
  /** Claim `aep`. A token of an older epoch is void. */
  readonly authEpoch: number;
  /** Claim `mfa_at`, whole seconds; null without MFA in this session. */
  readonly mfaVerifiedAt: EpochMs | null;
  /** Claim `mep`; null without MFA. */
  readonly mfaEpoch: number | null;
}
