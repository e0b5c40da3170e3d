/** Generates API keys (Contract: §2). */
import { randomBytes } from 'node:crypto';

const API_KEY_RANDOM_BYTES = 32;

/** A new key, `fsk_` and 43 base64url characters: 256 random bits, so that a plain digest of it may be stored. */
export function generateApiKey(): string {
  return `fsk_${randomBytes(API_KEY_RANDOM_BYTES).toString('base64url')}`;
}
