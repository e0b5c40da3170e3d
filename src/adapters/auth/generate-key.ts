import { randomBytes } from 'node:crypto';

const KEY_RANDOM_BYTES = 32;

/** `fsk_` and 43 base64url characters: 256 random bits, so a plain digest may be stored. */
export function generateApiKey(): string {
  return `fsk_${randomText()}`;
}

/** Like API keys, with `fse_`. */
export function generateEnrolmentKey(): string {
  return `fse_${randomText()}`;
}

function randomText(): string {
  return randomBytes(KEY_RANDOM_BYTES).toString('base64url');
}
