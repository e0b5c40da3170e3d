/** Turns the credential of a request into a caller (Contract: §2). */
import type { Caller } from '#domain/access/caller.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * The caller, or null if the credential is unknown, expired, revoked or tampered with, or its user is not active.
 * The caller's permissions and reach are at most one second old. Rejects if they cannot be read.
 *
 * `began` is when what the caller asks for was begun, by default now: it goes on where the credential expires meanwhile.
 */
export interface CredentialVerifier {
  verifyApiKey(key: string, began?: EpochMs): Promise<Caller | null>;
  verifyAccessToken(token: string, began?: EpochMs): Promise<Caller | null>;
}
