import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';

/** 128 of the 256 bits are enough against guessing, and keep cursors short. */
const SIGNATURE_BYTES = 16;

/** `key` has at least 32 random bytes. */
export function makeCursorSigner(key: string): CursorSigner {
  // The length keeps `boundTo` and `text` apart.
  const sign = (text: string, boundTo: string) =>
    createHmac('sha256', key)
      .update(`${boundTo.length} ${boundTo}${text}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    seal: (text, boundTo) => Buffer.concat([sign(text, boundTo), Buffer.from(text)]).toString('base64url'),
    open: (cursor, boundTo) => {
      const bytes = Buffer.from(cursor, 'base64url');
      // Decoding ignores characters outside base64url, so only this comparison finds them.
      if (bytes.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      return timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(text, boundTo)) ? text : null;
    },
  };
}
