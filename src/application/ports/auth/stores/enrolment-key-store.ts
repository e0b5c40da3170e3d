/** The enrolment keys of organizations (Contract: §13). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Keys as those see them who manage machines. */
export interface EnrolmentKeyReader {
  /** The keys of organizations in reach that are not revoked, including expired ones, newest first. */
  list(scope: AccessScope): Promise<readonly EnrolmentKey[]>;
}

/**
 * The key with this SHA-256 (64 hexadecimal digits), across all tenants; null if it is unknown or revoked. Whether it
 * has expired is for the caller to check.
 */
export type FindEnrolmentKey = (keySha256: string) => Promise<EnrolmentKey | null>;

/** Why there is no such key: its organization, or its site there, is unknown or out of reach. */
export type EnrolmentKeyRefusal = 'unknown-organization' | 'unknown-site';

/** Changes within a transaction, limited to organizations within its scope. */
export interface EnrolmentKeyWriter {
  /**
   * Adds a key; null if it was added. Refuses, and adds nothing, where there is no such organization in reach, or no
   * such site in the organization.
   */
  add(key: EnrolmentKey & { readonly keySha256: string }): Promise<EnrolmentKeyRefusal | null>;
  /** Revokes the key and gives it; null if there is none in reach, or it is already revoked. */
  revoke(id: EnrolmentKeyId, at: EpochMs): Promise<EnrolmentKey | null>;
}
