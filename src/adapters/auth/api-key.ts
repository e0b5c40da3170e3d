/** How an API key is made, and the form in which it is stored and looked up (Contract: §2). */
import { hash, randomBytes } from 'node:crypto';

const API_KEY_RANDOM_BYTES = 32;

/** A new key, `fsk_` and 43 base64url characters: 256 random bits, so that a plain hash of it may be stored. */
export function generateApiKey(): string {
  return `fsk_${randomBytes(API_KEY_RANDOM_BYTES).toString('base64url')}`;
}

/** SHA-256 of the whole key, its `fsk_` included, as 64 lower-case hexadecimal digits. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}
