/** Cursors signed with HMAC-SHA-256. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';

/** Of a signature of 256 bits, half is more than anybody can guess and keeps cursors short. */
const SIGNATURE_BYTES = 16;

/** `key` has at least 32 random bytes, in any form. */
export function makeCursorSigner(key: string): CursorSigner {
  // The length keeps apart what the two texts are made of.
  const sign = (text: string, boundTo: string) =>
    createHmac('sha256', key)
      .update(`${boundTo.length} ${boundTo}${text}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    seal: (text, boundTo) => Buffer.concat([sign(text, boundTo), Buffer.from(text)]).toString('base64url'),
    open: (cursor, boundTo) => {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding skips what is not base64url; a cursor has one form only.
      if (bytes.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      return timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(text, boundTo)) ? text : null;
    },
  };
}
