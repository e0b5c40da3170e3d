/** Whether multi-factor authentication was passed recently enough (Contract: §2, "Passed MFA"). */
import type { EpochMs } from '#domain/time.ts';
import type { Credential } from './caller.ts';

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
