import type { AccessScope } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface EnrolmentKeyReader {
  /** Unrevoked keys in reach, expired ones included, newest first (Contract: §13). */
  list(scope: AccessScope): Promise<readonly EnrolmentKey[]>;
}

/** By SHA-256 (64 hexadecimal digits), across tenants; null if unknown or revoked. The caller checks expiry. */
export type FindEnrolmentKey = (keySha256: string) => Promise<EnrolmentKey | null>;

/** Unknown or out of reach. */
export type EnrolmentKeyRefusal = 'unknown-organization' | 'unknown-site';

/** Limited to organizations within the transaction's scope. */
export interface EnrolmentKeyWriter {
  /** A refusal changes nothing. */
  add(key: EnrolmentKey & { readonly keySha256: string }): Promise<EnrolmentKeyRefusal | null>;
  /** Null if the key is unknown, out of reach or already revoked. */
  revoke(id: EnrolmentKeyId, at: EpochMs): Promise<EnrolmentKey | null>;
}
