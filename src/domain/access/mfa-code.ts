/** Codes that prove a second factor: from an authenticator app, or a recovery code (Contract: §2). */

/** The number of recovery codes per enrollment. */
export const RECOVERY_CODE_COUNT = 10;

export type MfaCode =
  | { readonly kind: 'totp'; readonly code: string }
  /** Normalized to the form that was hashed. */
  | { readonly kind: 'recovery'; readonly code: string };

/** ASCII digits only; other digits may look the same. */
const TOTP_CODE = /^[0-9]{6}$/;

/** Four groups of four digits and letters, without i, l, o and u. */
const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/;

/** The kind of the code, or null if it can be neither. Recovery codes are case-insensitive. */
export function parseMfaCode(text: string): MfaCode | null {
  if (TOTP_CODE.test(text)) return { kind: 'totp', code: text };
  const code = text.trim().toLowerCase();
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : null;
}
