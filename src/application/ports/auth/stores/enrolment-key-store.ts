import type { AccessScope } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Enrolment keys as administrators see them. */
export interface EnrolmentKeyReader {
  /** Unrevoked keys of organizations in reach, expired ones included, newest first (Contract: §13). */
  list(scope: AccessScope): Promise<readonly EnrolmentKey[]>;
}

/**
 * The key with this SHA-256 (64 hexadecimal digits), across tenants; null if unknown or revoked. The caller checks
 * expiry.
 */
export type FindEnrolmentKey = (keySha256: string) => Promise<EnrolmentKey | null>;

/** The organization, or its site, is unknown or out of reach. */
export type EnrolmentKeyRefusal = 'unknown-organization' | 'unknown-site';

/** Limited to organizations within the transaction's scope. */
export interface EnrolmentKeyWriter {
  /** Adds a key and returns null, or the refusal without any change. */
  add(key: EnrolmentKey & { readonly keySha256: string }): Promise<EnrolmentKeyRefusal | null>;
  /** Returns the key; null if it is unknown, out of reach or already revoked. */
  revoke(id: EnrolmentKeyId, at: EpochMs): Promise<EnrolmentKey | null>;
}
