/** The columns that hold sealed secrets, and the place that each secret is sealed for. */
import type { UserId } from '#domain/ids.ts';

/** Part of what a box authenticates: it opens at this place only. */
export interface SecretPlace {
  readonly table: string;
  /** The primary key, as PostgreSQL prints it. */
  readonly row: string;
  readonly column: string;
}

/** Every column with sealed secrets, and the primary key of its table. */
export const SEALED_COLUMNS = [
  { table: 'signing_key', key: 'kid', column: 'private_jwk' },
  { table: 'app_user', key: 'id', column: 'totp_secret' },
  { table: 'mfa_enrollment', key: 'user_id', column: 'totp_secret' },
] as const;

/** The second factor of a user. */
export function factorPlace(userId: UserId): SecretPlace {
  return { table: 'app_user', row: userId.toLowerCase(), column: 'totp_secret' };
}

/** A second factor that its user has not confirmed yet. */
export function enrollmentPlace(userId: UserId): SecretPlace {
  return { table: 'mfa_enrollment', row: userId.toLowerCase(), column: 'totp_secret' };
}

/** The private part of a signing key. */
export function signingKeyPlace(kid: string): SecretPlace {
  return { table: 'signing_key', row: kid, column: 'private_jwk' };
}
