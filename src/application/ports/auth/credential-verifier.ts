/** Turns the credential of a request into a caller (Contract: §2). */
import type { Caller } from '#domain/access/caller.ts';

/**
 * The caller, or null if the credential is unknown, expired, revoked or tampered with, or its user is not active.
 * The caller's permissions and reach are at most one second old. Rejects if they cannot be read.
 */
export interface CredentialVerifier {
  verifyApiKey(key: string): Promise<Caller | null>;
  verifyAccessToken(token: string): Promise<Caller | null>;
}
