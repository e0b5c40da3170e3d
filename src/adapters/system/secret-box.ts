/** Encrypts secrets with AES-256-GCM (Contract: §2). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A sealed secret opens only with its own place, so it cannot be moved to another row. */
export interface SecretPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

export interface SecretBox {
  readonly keyId: string;
  readonly prefix: string;
  /** Returns `v2.`, the key id, `.`, and then nonce, tag and ciphertext in base64url. */
  readonly seal: (secret: string, place: SecretPlace) => string;
  /**
   * Throws if the text was changed, or sealed with another key or for another place. Text that begins with
   * `v1.` is not bound to a place.
   */
  readonly open: (sealed: string, place: SecretPlace) => string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 8;
const FORMER_PREFIX = 'v1.';

/** `secret` has at least 32 random bytes. */
export function makeSecretBox(secret: string): SecretBox {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `fleetsift secret box${purpose}`, bytes));
  const key = derive('', 32);
  const keyId = derive(' key id', KEY_ID_BYTES).toString('base64url');
  const prefix = `v2.${keyId}.`;
  return {
    keyId,
    prefix,
    seal: (plain, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(toBytes(place));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: (sealed, place) => {
      if (sealed.startsWith(prefix)) return decrypt(key, sealed.slice(prefix.length), toBytes(place));
      if (sealed.startsWith(FORMER_PREFIX)) return decrypt(key, sealed.slice(FORMER_PREFIX.length), null);
      throw new Error('not a secret that this key sealed');
    },
  };
}

function decrypt(key: Buffer, text: string, place: Buffer | null): string {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  if (place !== null) decipher.setAAD(place);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(plain).toString('utf8');
}

function toBytes({ table, row, column }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([table, row, column]));
}
