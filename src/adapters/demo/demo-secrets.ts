/**
 * The secrets of the demo: the only part of it that is not the same in every run, because a published password
 * would be a default account on every exposed demo.
 */
import { randomBytes, randomInt } from 'node:crypto';

/** The source of the secrets; a new one on each call. */
export interface DemoSecrets {
  /** A password for the account with that title; 8 to 256 characters. */
  readonly password: (title: string) => string;
  /** A TOTP secret for the account with that title, in base32. */
  readonly totpSecret: (title: string) => string;
  /** `fsk_` and 43 base64url characters (Contract: §2). */
  readonly apiKey: () => string;
}

/** Secrets from the system's random source: passwords of 80 bits, TOTP secrets of 160, API keys of 256. */
export function randomDemoSecrets(): DemoSecrets {
  return {
    password: () => Array.from({ length: 4 }, () => randomText(PASSWORD_ALPHABET, 4)).join('-'),
    totpSecret: () => randomText(BASE32_ALPHABET, 32),
    apiKey: () => `fsk_${randomBytes(32).toString('base64url')}`,
  };
}

/** Without i, l, o and u: read off a terminal and typed into a form. */
const PASSWORD_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** RFC 4648. */
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
