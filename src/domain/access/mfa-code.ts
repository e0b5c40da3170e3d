/** The codes that prove a second factor: of an authenticator app, or a recovery code (Contract: §2). */

/** How many recovery codes come with an enrollment. */
export const RECOVERY_CODE_COUNT = 10;

export type MfaCode =
  | { readonly kind: 'totp'; readonly code: string }
  /** In the form in which it was hashed. */
  | { readonly kind: 'recovery'; readonly code: string };

/** ASCII digits only: others look the same and are not. */
const TOTP_CODE = /^[0-9]{6}$/;

/** Four groups of four, from the digits and the letters but i, l, o and u. */
const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/;

/** What kind of code it is, or null where it cannot be any. A recovery code is taken in any case. */
export function parseMfaCode(text: string): MfaCode | null {
  if (TOTP_CODE.test(text)) return { kind: 'totp', code: text };
  const code = text.trim().toLowerCase();
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : null;
}
