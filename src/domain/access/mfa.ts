/** Second factors: the codes that prove one, and how recently that must have been (Contract: §2). */
import type { EpochMs } from '#domain/time.ts';
import type { Credential } from './caller.ts';

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

export type MfaRefusal =
  /** The user has a factor, but has not verified it in this session, or too long ago. */
  | 'required'
  | 'enrollment-required'
  /** There is nobody behind an API key who could enter a code. */
  | 'not-possible';

/** Null if MFA was verified in this session at most `maxAgeMs` before `now`. */
export function refuseStaleMfa(credential: Credential, now: EpochMs, maxAgeMs: number): MfaRefusal | null {
  if (credential.kind === 'api-key') return 'not-possible';
  if (!credential.isMfaEnrolled) return 'enrollment-required';
  const { mfaVerifiedAt } = credential;
  return mfaVerifiedAt !== null && now - mfaVerifiedAt <= maxAgeMs ? null : 'required';
}
