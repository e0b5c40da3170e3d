/** Generates API keys (Contract: §2) and enrolment keys (Contract: §13). */
import { randomBytes } from 'node:crypto';

const KEY_RANDOM_BYTES = 32;

/** A new key, `fsk_` and 43 base64url characters: 256 random bits, so that a plain digest of it may be stored. */
export function generateApiKey(): string {
  return `fsk_${randomText()}`;
}

/** As strong, with `fse_` before it. */
export function generateEnrolmentKey(): string {
  return `fse_${randomText()}`;
}

function randomText(): string {
  return randomBytes(KEY_RANDOM_BYTES).toString('base64url');
}
