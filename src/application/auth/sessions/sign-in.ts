/** Starts a session with email, password and, if MFA is set up, a code (POST /auth/login; Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import { isOnRecord } from '#application/audit/make-entry.ts';
import { TOO_MANY_WAITING } from '#application/auth/attempt-limits.ts';
import { parseSignIn, type SignInInput } from '#application/auth/auth-input.ts';
import { CODE_REQUIRED, INVALID_CODE, INVALID_CREDENTIALS } from '#application/auth/auth-refusals.ts';
import type { CheckCode, CountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { CheckAccountPassword } from '#application/auth/passwords.ts';
import { clientOfVisit, type Visit } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import { type PasswordClaimant, PasswordQueueFullError } from '#application/ports/auth/password-verifier.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { clientOf, networkOf, OWN_NETWORK_MS, siteOf } from '#domain/access/network.ts';
import type { Principal } from '#domain/access/principal.ts';
import {
  type Session,
  type SessionMfa,
  sessionExpiry,
  type TokenCarrier,
  verifiedMfa,
} from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { CountSignIn, MakeSignInEntry } from './sign-in-attempts.ts';
import { type SignedIn, toSignedIn } from './signed-in.ts';

/** Every well-formed attempt counts towards the limits. It is recorded, unless a limit has refused one before. */
export type SignIn = (
  visit: Visit,
  input: SignInInput,
  carrier: TokenCarrier,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface SignInDeps {
  readonly signIns: SignInStore;
  readonly checkAccountPassword: CheckAccountPassword;
  readonly checkCode: CheckCode;
  readonly countSignIn: CountSignIn;
  readonly countCode: CountCode;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly makeSignInEntry: MakeSignInEntry;
  readonly issueAccessToken: IssueAccessToken;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeSignIn(deps: SignInDeps): SignIn {
  return async (visit, input, carrier) => {
    const deny = async (user: Principal | null, reason: string, error: ApplicationError) => {
      if (!isOnRecord(error)) await deps.auditLog(deps.makeSignInEntry(visit, user, reason));
      return err(error);
    };
    const sent = parseSignIn(input);
    if (!sent.ok) return sent;
    const { email, password, code } = sent.value;
    const counted = await deps.countSignIn(visit, email);
    if (!counted.ok) return deny(null, 'rate_limited', counted.error);

    const account = await deps.signIns.findByEmail(email);
    const isRight = await deps
      .checkAccountPassword(account, password, passwordClaimantOf(visit))
      .catch(nullIfQueueFull);
    if (isRight === null) {
      await counted.value.giveBack();
      return err(TOO_MANY_WAITING);
    }
    if (account === null || !isRight) {
      return deny(account?.principal ?? null, 'invalid_credentials', INVALID_CREDENTIALS);
    }
    const { principal } = account;
    // Right so far: the attempt is on record once it ends.
    if (principal.isMfaEnrolled && code === null) return err(CODE_REQUIRED);
    const started = principal.isMfaEnrolled
      ? await startWithCode(deps, visit, carrier, account, code)
      : await startSession(deps, visit, carrier, account, null);
    if (started.ok) await counted.value.succeed();
    return started;
  };
}

/** Sites take turns, and so do the clients of a site. Unknown addresses share one place. */
function passwordClaimantOf({ ip }: Visit): PasswordClaimant {
  return ip === null ? UNKNOWN_CLIENT : { site: siteOf(ip), client: clientOf(ip) };
}

const UNKNOWN_CLIENT: PasswordClaimant = { site: 'unknown', client: 'unknown' };

function nullIfQueueFull(error: unknown): null {
  if (error instanceof PasswordQueueFullError) return null;
  throw error;
}

/** Only wrong codes stay counted. */
async function startWithCode(
  deps: SignInDeps,
  visit: Visit,
  carrier: TokenCarrier,
  account: SignInAccount,
  code: string | null,
): Promise<Result<SignedIn, ApplicationError>> {
  const { principal } = account;
  const counted = await deps.countCode(visit, principal.userId);
  if (!counted.ok) {
    const refusal = counted.error;
    if (!isOnRecord(refusal)) await deps.auditLog(deps.makeSignInEntry(visit, principal, refusal.code));
    return err(refusal);
  }
  const started = await startSession(deps, visit, carrier, account, code);
  await counted.value.settle(started);
  return started;
}

/** Uses up the code and adds the session in one transaction. `code` is null for a user without a factor. */
async function startSession(
  deps: SignInDeps,
  visit: Visit,
  carrier: TokenCarrier,
  account: SignInAccount,
  code: string | null,
): Promise<Result<SignedIn, ApplicationError>> {
  const { principal } = account;
  const refreshToken = deps.secrets.refreshToken(carrier);
  const now = deps.clock();
  const started = await deps.unitOfWork(
    SYSTEM_SCOPE,
    async (tx): Promise<Result<Session, ApplicationError>> => {
      const deny = async (reason: string, error: ApplicationError) => {
        await tx.audit(deps.makeSignInEntry(visit, principal, reason));
        return err(error);
      };
      // The password was changed after it was checked.
      const epoch = await tx.passwords.holdEpoch(principal.userId);
      if (epoch !== account.passwordEpoch) return deny('invalid_credentials', INVALID_CREDENTIALS);
      const proof = await proveFactor(deps, tx, principal, code);
      if (proof === 'wrong') return deny('invalid_mfa_code', INVALID_CODE);
      const session: Session = {
        id: deps.newId<'session'>(),
        userId: principal.userId,
        authEpoch: principal.authEpoch,
        mfa: proof,
        createdAt: now,
        lastUsedAt: now,
        ...clientOfVisit(visit),
        expiresAt: sessionExpiry(now, now),
        endedAt: null,
      };
      const isAdded = await tx.sessions.add(session, deps.secrets.digest(refreshToken));
      // The account was loaded again after the password was checked.
      if (!isAdded) return deny('invalid_credentials', INVALID_CREDENTIALS);
      if (visit.ip !== null) {
        await tx.ownNetworks.remember(session.userId, networkOf(visit.ip), now, now - OWN_NETWORK_MS);
      }
      await tx.audit(deps.makeSignInEntry(visit, principal, null));
      return ok(session);
    },
  );
  if (!started.ok) return started;
  return ok(await toSignedIn(deps, account, started.value, refreshToken));
}

/** Null if the user has no factor. */
async function proveFactor(
  { checkCode, clock }: SignInDeps,
  tx: Transaction,
  { userId }: Principal,
  code: string | null,
): Promise<SessionMfa | null | 'wrong'> {
  const factor = await tx.mfa.findFactor(userId);
  if (factor === null) return null;
  // The factor may have been set up after the user was read: then a code is required too.
  const isRight = code !== null && (await checkCode(tx, userId, factor, code));
  return isRight ? verifiedMfa(clock(), factor.epoch) : 'wrong';
}
