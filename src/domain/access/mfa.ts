/** Codes of second factors, and how long a verification counts (Contract: §2). */
import type { EpochMs } from '#domain/time.ts';
import type { Credential } from './caller.ts';

export const RECOVERY_CODE_COUNT = 10;

export type MfaCode =
  | { readonly kind: 'totp'; readonly code: string }
  /** `code` is in lower case, because the stored hashes are of lower-case codes. */
  | { readonly kind: 'recovery'; readonly code: string };

const TOTP_CODE = /^[0-9]{6}$/;

/** Four groups of four digits and letters, without i, l, o and u. */
const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/;

/** Null if the text is neither kind of code. Recovery codes are case-insensitive. */
export function parseMfaCode(text: string): MfaCode | null {
  if (TOTP_CODE.test(text)) return { kind: 'totp', code: text };
  const code = text.trim().toLowerCase();
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : null;
}

export type MfaRefusal =
  /** MFA was not verified in this session, or too long ago. */
  | 'required'
  | 'enrollment-required'
  /** An API key has no person who could enter a code. */
  | 'not-possible';

/** Null if MFA was verified in this session at most `maxAgeMs` before `now`. */
export function refuseStaleMfa(credential: Credential, now: EpochMs, maxAgeMs: number): MfaRefusal | null {
  if (credential.kind === 'api-key') return 'not-possible';
  const { isMfaEnrolled, mfaVerifiedAt } = credential;
  // Checked before enrollment, because an identity provider can verify MFA of a person who is not enrolled.
  if (mfaVerifiedAt !== null && now - mfaVerifiedAt <= maxAgeMs) return null;
  return isMfaEnrolled || mfaVerifiedAt !== null ? 'required' : 'enrollment-required';
}
