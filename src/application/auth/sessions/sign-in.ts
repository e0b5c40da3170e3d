/** Starts a session with email, password and, if MFA is set up, a code (POST /auth/login; Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import { TOO_MANY_WAITING } from '#application/auth/attempt-limits.ts';
import { parseSignIn, type SignInInput } from '#application/auth/auth-input.ts';
import { CODE_REQUIRED, INVALID_CODE, INVALID_CREDENTIALS } from '#application/auth/auth-refusals.ts';
import type { CheckCode, CountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { SignInByPasskey } from '#application/auth/passkeys/sign-in-by-passkey.ts';
import type { CheckAccountPassword } from '#application/auth/passwords.ts';
import type { Visit } from '#application/call.ts';
import { type PasswordClaimant, PasswordQueueFullError } from '#application/ports/auth/password-verifier.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import { clientOf, siteOf } from '#domain/access/network.ts';
import type { Principal } from '#domain/access/principal.ts';
import { type TokenCarrier, verifiedMfa } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type CountSignIn, type RefuseSignInDeps, refuseSignIn } from './sign-in-attempts.ts';
import type { SignedIn } from './signed-in.ts';
import type { ProveSignIn, StartSession } from './start-session.ts';

/**
 * Every well-formed attempt counts towards the limits, unless it is refused because too many others wait. The audit log
 * has successes and refusals, but of a limit's refusals only the first.
 */
export type SignIn = (
  visit: Visit,
  input: SignInInput,
  carrier: TokenCarrier,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface SignInDeps extends RefuseSignInDeps {
  readonly signIns: SignInStore;
  readonly checkAccountPassword: CheckAccountPassword;
  readonly checkCode: CheckCode;
  readonly countSignIn: CountSignIn;
  readonly countCode: CountCode;
  readonly startSession: StartSession;
  readonly signInByPasskey: SignInByPasskey;
  readonly clock: Clock;
}

export function makeSignIn(deps: SignInDeps): SignIn {
  return async (visit, input, carrier) => {
    if (input.passkey != null) return deps.signInByPasskey(visit, input, input.passkey, carrier);
    const sent = parseSignIn(input);
    if (!sent.ok) return sent;
    const { email, password, code } = sent.value;
    const counted = await deps.countSignIn(visit, email);
    if (!counted.ok) return refuseSignIn(deps, visit, null, counted.error);

    const account = await deps.signIns.findByEmail(email);
    const isRight = await deps
      .checkAccountPassword(account, password, passwordClaimantOf(visit))
      .catch(nullIfQueueFull);
    if (isRight === null) {
      await counted.value.giveBack();
      return err(TOO_MANY_WAITING);
    }
    if (account === null || !isRight) {
      return refuseSignIn(deps, visit, account?.principal ?? null, INVALID_CREDENTIALS);
    }
    const { principal } = account;
    // Not recorded yet: the client tries again with a code.
    if (principal.isMfaEnrolled && code === null) return err(CODE_REQUIRED);
    const started = principal.isMfaEnrolled
      ? await startWithCode(deps, visit, carrier, account, code)
      : await deps.startSession(visit, carrier, account, proveByCode(deps, principal, null));
    if (started.ok) await counted.value.succeed();
    return started;
  };
}

/** Sites take turns at password checks, and so do a site's clients. Visitors without an address share a turn. */
function passwordClaimantOf({ ip }: Visit): PasswordClaimant {
  return ip === null ? UNKNOWN_CLIENT : { site: siteOf(ip), client: clientOf(ip) };
}

const UNKNOWN_CLIENT: PasswordClaimant = { site: 'unknown', client: 'unknown' };

function nullIfQueueFull(error: unknown): null {
  if (error instanceof PasswordQueueFullError) return null;
  throw error;
}

/** Counts an attempt with a code before checking it. Only wrong codes stay counted. */
async function startWithCode(
  deps: SignInDeps,
  visit: Visit,
  carrier: TokenCarrier,
  account: SignInAccount,
  code: string | null,
): Promise<Result<SignedIn, ApplicationError>> {
  const { principal } = account;
  const counted = await deps.countCode(visit, principal.userId);
  if (!counted.ok) return refuseSignIn(deps, visit, principal, counted.error);
  const started = await deps.startSession(visit, carrier, account, proveByCode(deps, principal, code));
  await counted.value.settle(started);
  return started;
}

/** Uses up the code. Users without a factor need none. */
export function proveByCode(
  { checkCode, clock }: Pick<SignInDeps, 'checkCode' | 'clock'>,
  { userId }: Principal,
  code: string | null,
): ProveSignIn {
  return async (tx) => {
    const factor = await tx.mfa.findFactor(userId);
    if (factor === null) return ok({ mfa: null, provenAt: null });
    // If the factor was set up after the user was read, `code` is null and refused.
    const isRight = code !== null && (await checkCode(tx, userId, factor, code));
    return isRight
      ? ok({ mfa: verifiedMfa(clock(), factor.epoch), provenAt: null })
      : err({ reason: 'invalid_mfa_code', error: INVALID_CODE });
  };
}
