import type { UserId } from '#domain/ids.ts';

/** Part of what a box authenticates: it opens only here. */
export interface SecretPlace {
  readonly table: string;
  /** The primary key as PostgreSQL prints it. */
  readonly row: string;
  readonly column: string;
}

/** Columns with sealed secrets, and their tables' primary keys. */
export const SEALED_COLUMNS = [
  { table: 'signing_key', key: 'kid', column: 'private_jwk' },
  { table: 'app_user', key: 'id', column: 'totp_secret' },
  { table: 'mfa_enrollment', key: 'user_id', column: 'totp_secret' },
] as const;

export function factorPlace(userId: UserId): SecretPlace {
  return { table: 'app_user', row: userId.toLowerCase(), column: 'totp_secret' };
}

export function enrollmentPlace(userId: UserId): SecretPlace {
  return { table: 'mfa_enrollment', row: userId.toLowerCase(), column: 'totp_secret' };
}

export function signingKeyPlace(kid: string): SecretPlace {
  return { table: 'signing_key', row: kid, column: 'private_jwk' };
}
