import type { AccessScope } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface EnrolmentKeyReader {
  /** Keys in reach, newest first, with expired but without revoked ones (Contract: §13). */
  list(scope: AccessScope): Promise<readonly EnrolmentKey[]>;
}

/**
 * Finds a key of any tenant by its SHA-256 (64 hexadecimal digits). Null if unknown or revoked. The caller must check
 * expiry.
 */
export type FindEnrolmentKey = (keySha256: string) => Promise<EnrolmentKey | null>;

/** Why a key was not added: its organization or site is unknown or out of reach. */
export type EnrolmentKeyRefusal = 'unknown-organization' | 'unknown-site';

/** Works within a transaction, limited to organizations in its scope. */
export interface EnrolmentKeyWriter {
  /** A refusal changes nothing. */
  add(key: EnrolmentKey & { readonly keySha256: string }): Promise<EnrolmentKeyRefusal | null>;
  /** Null, without any change, if the key is unknown, out of reach or already revoked. */
  revoke(id: EnrolmentKeyId, at: EpochMs): Promise<EnrolmentKey | null>;
}
