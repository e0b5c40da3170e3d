import type { Caller } from '#domain/access/caller.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Turns a credential into a caller (Contract: §2). Null if the credential is unknown, expired, revoked or forged, or
 * its user is not active. Permissions and reach are at most one second old. Rejects if they cannot be read. Expiry is
 * checked as of `began` (default: now), so long work continues if its credential expires meanwhile.
 */
export interface CredentialVerifier {
  verifyApiKey(key: string, began?: EpochMs): Promise<Caller | null>;
  verifyAccessToken(token: string, began?: EpochMs): Promise<Caller | null>;
}
