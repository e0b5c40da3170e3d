/** Turns what a request presents into a caller (Contract: §2). */
import type { Caller } from '#domain/access/caller.ts';

/**
 * The caller, or null where the credential is unknown, expired, revoked or tampered with, or its user is not
 * active. What the caller may do is at most one second old.
 */
export interface CredentialVerifier {
  verifyApiKey(key: string): Promise<Caller | null>;
  verifyAccessToken(token: string): Promise<Caller | null>;
}
