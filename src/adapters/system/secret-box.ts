/** Encryption at rest for secrets that must be readable later: AES-256-GCM (Contract: §2). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** Encrypts and authenticates: `v1.` and nonce, tag and ciphertext in base64url. */
  readonly seal: (secret: string) => string;
  /** The secret; throws if it was tampered with or sealed with another key. */
  readonly open: (sealed: string) => string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/** A box whose key is derived from `secret`, which should contain at least 32 random bytes. */
export function makeSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'fleetsift secret box', 32));
  return {
    seal: (plain) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: (sealed) => {
      if (!sealed.startsWith(VERSION)) throw new Error('not a sealed secret');
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    },
  };
}
