/** Requires a recent verification of MFA (Contract: §2, "Passed MFA"; RFC 9470). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import { type MfaRefusal, refuseStaleMfa } from '#domain/access/mfa.ts';

/** Null if the caller has passed MFA, else `mfa_required`, `mfa_enrollment_required` or `mfa_not_possible`. */
export type RequireFreshMfa = (call: Call) => ApplicationError | null;

export interface RequireFreshMfaDeps {
  readonly clock: Clock;
  /** Contract: §9, MFA_MAX_AGE_SECONDS. */
  readonly maxAgeSeconds: number;
}

export function makeRequireFreshMfa({ clock, maxAgeSeconds }: RequireFreshMfaDeps): RequireFreshMfa {
  const errors: Readonly<Record<MfaRefusal, ApplicationError>> = {
    required: {
      code: 'mfa_required',
      detail:
        'This needs a recent MFA verification: send a code to POST /auth/mfa/challenge, then try again.',
      maxAgeSeconds,
    },
    'enrollment-required': MFA_ENROLLMENT_REQUIRED,
    'not-possible': MFA_NOT_POSSIBLE,
  };
  return ({ caller }) => {
    const refusal = refuseStaleMfa(caller.credential, clock(), maxAgeSeconds * 1_000);
    return refusal === null ? null : errors[refusal];
  };
}

/** For users without a second factor. */
export const MFA_ENROLLMENT_REQUIRED: ApplicationError = {
  code: 'mfa_enrollment_required',
  detail: 'This needs MFA, which you have not set up; start with POST /auth/mfa/enroll.',
};

/** For API keys. */
export const MFA_NOT_POSSIBLE: ApplicationError = {
  code: 'mfa_not_possible',
  detail: 'An API key cannot pass MFA; sign in and send an access token.',
};
