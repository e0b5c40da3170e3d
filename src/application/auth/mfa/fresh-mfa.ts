/** Recent verification of a second factor (Contract: §2, "Passed MFA"; RFC 9470). */
import { type ApplicationError, toValidationError } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { parseText } from '#application/auth/auth-input.ts';
import {
  EITHER_PROOF,
  INVALID_CODE,
  INVALID_PASSKEY,
  SESSION_OVER,
  SIGNED_IN_ELSEWHERE,
} from '#application/auth/auth-refusals.ts';
import type { CheckCode, CountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { CheckOwnPasskey, PasskeyAnswer } from '#application/auth/passkeys/check-passkey.ts';
import { isSessionLive, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import type { IssueAccessToken, IssuedAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type MfaRefusal, refuseStaleMfa } from '#domain/access/mfa.ts';
import { type SessionMfa, verifiedMfa } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Null if MFA is fresh, else `mfa_required`, `mfa_enrollment_required` or `mfa_not_possible`. */
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

/** Unchecked input. */
export interface ProofInput {
  readonly code: unknown;
  /** Takes the place of the code. */
  readonly passkey?: PasskeyAnswer | null;
}

interface Proof {
  readonly code: string | null;
  readonly passkey: PasskeyAnswer | null;
}

function parseProof({ code, passkey = null }: ProofInput): Result<Proof, ApplicationError> {
  if (passkey === null) {
    const sent = parseText('code', code);
    return sent.ok ? ok({ code: sent.value, passkey }) : sent;
  }
  if (code === undefined || code === null) return ok({ code: null, passkey });
  return err(toValidationError([EITHER_PROOF]));
}

/**
 * POST /auth/mfa/challenge. Returns an access token for the caller's session, which must be live. Only wrong
 * proofs count towards the limits.
 */
export type ChallengeMfa = (
  call: Call,
  input: ProofInput,
) => Promise<Result<IssuedAccessToken, ApplicationError>>;

export interface ChallengeMfaDeps {
  readonly checkCode: CheckCode;
  readonly countCode: CountCode;
  readonly checkOwnPasskey: CheckOwnPasskey;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly issueAccessToken: IssueAccessToken;
  readonly clock: Clock;
}

export function makeChallengeMfa(deps: ChallengeMfaDeps): ChallengeMfa {
  return async (call, input) => {
    const { userId, credential } = call.caller;
    const attempt = { action: 'auth.mfa.challenge', resourceId: userId } as const;
    if (credential.kind === 'api-key') return deps.deny(call, attempt, MFA_NOT_POSSIBLE);
    const sessionId = sessionIdOf(call.caller);
    if (sessionId === null) return deps.deny(call, attempt, SIGNED_IN_ELSEWHERE);
    const sent = parseProof(input);
    if (!sent.ok) return sent;
    const { code, passkey } = sent.value;
    const counted = await deps.countCode(call, userId);
    if (!counted.ok) return deps.deny(call, attempt, counted.error);
    const proven = passkey === null ? null : await deps.checkOwnPasskey(passkey, userId);
    const proved = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<SessionMfa, ApplicationError>> => {
        const factor = await tx.mfa.findFactor(userId);
        if (factor === null) return deps.deny(call, attempt, MFA_ENROLLMENT_REQUIRED, tx);
        if (!(await isSessionLive(tx, call.caller, deps.clock()))) {
          return deps.deny(call, attempt, SESSION_OVER, tx);
        }
        const isRight =
          code === null
            ? proven !== null && (await tx.passkeys.use(proven.passkey.id, proven.use))
            : await deps.checkCode(tx, userId, factor, code);
        if (!isRight) return deps.deny(call, attempt, code === null ? INVALID_PASSKEY : INVALID_CODE, tx);
        const now = deps.clock();
        const mfa = verifiedMfa(now, factor.epoch);
        const provenAt = code === null ? [now] : [];
        await tx.sessions.setMfa(userId, sessionId, mfa, ...provenAt);
        await tx.audit(deps.makeEntry(call, attempt));
        return ok(mfa);
      },
    );
    await counted.value.settle(proved);
    if (!proved.ok) return proved;
    const { authEpoch } = credential;
    return ok(await deps.issueAccessToken({ userId, sessionId, authEpoch, mfa: proved.value }));
  };
}
