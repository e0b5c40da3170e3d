/** Continues or ends a session by its refresh token (Contract: §2, §14). */
import type { ApplicationError } from '#application/application-error.ts';
import { refreshesOfSession, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_REFRESH_TOKEN } from '#application/auth/auth-refusals.ts';
import { type RefuseSignInDeps, refuseSignIn } from '#application/auth/sessions/sign-in-attempts.ts';
import { type SignedIn, toSignedIn } from '#application/auth/sessions/signed-in.ts';
import { clientOfVisit, type Visit } from '#application/call.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { RefreshTokenState, SessionWriter } from '#application/ports/auth/stores/session-store.ts';
import type {
  RefreshTokenOwner,
  SignInAccount,
  SignInStore,
} from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import {
  decideRefresh,
  isReplay,
  isTokenOf,
  type Session,
  type TokenCarrier,
} from '#domain/access/session.ts';
import { type Err, err, ok, type Result } from '#domain/result.ts';

/**
 * Refresh tokens:
 * - A token works once. Using it again ends the session, because one of two holders must have stolen it.
 * - If a token is used twice at the same time, for example by a retry, only the second use is refused.
 * - A browser's cookie works for another 30 seconds. It leads to its successor, so all tabs get the same
 *   cookie.
 * - A cookie is refused as a client's token, and a client's token as a cookie.
 */
export type RefreshSession = (
  visit: Visit,
  refreshToken: unknown,
  carrier: TokenCarrier,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface RefreshSessionDeps extends RefuseSignInDeps {
  readonly signIns: SignInStore;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly issueAccessToken: IssueAccessToken;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

interface Sent {
  readonly visit: Visit;
  readonly carrier: TokenCarrier;
  readonly token: string;
  readonly account: SignInAccount;
}

interface Continued {
  readonly session: Session;
  readonly token: string;
}

export function makeRefreshSession(deps: RefreshSessionDeps): RefreshSession {
  return async (visit, input, carrier) => {
    const parsed = parseText('refreshToken', input);
    if (!parsed.ok) return parsed;
    const token = parsed.value;
    const owner = isTokenOf(carrier, token)
      ? await deps.signIns.findByRefreshToken(deps.secrets.digest(token))
      : null;
    if (owner === null) return err(INVALID_REFRESH_TOKEN);
    const { account } = owner;
    const sent: Sent = { visit, carrier, token, account };
    const refusal = await countRefresh(deps, sent, owner);
    if (refusal !== null) return refusal;
    const continued = await deps.unitOfWork(SYSTEM_SCOPE, (tx) => continueSession(deps, tx, sent));
    if (continued === null) return err(INVALID_REFRESH_TOKEN);
    return ok(await toSignedIn(deps, account, continued.session, continued.token));
  };
}

/** Replays of a used token do not count. Otherwise a thief could use up the limit, and the theft would go unnoticed. */
async function countRefresh(
  deps: RefreshSessionDeps,
  { visit, carrier, account }: Sent,
  { sessionId, usedAt }: RefreshTokenOwner,
): Promise<Err<ApplicationError> | null> {
  if (isReplay({ carrier, usedAt }, deps.clock())) return null;
  const rate = await deps.rateLimiter.consume(refreshesOfSession(sessionId));
  return rate.allowed ? null : refuseSignIn(deps, visit, account.principal, tooManyAttempts(rate));
}

async function continueSession(
  deps: RefreshSessionDeps,
  tx: Transaction,
  { visit, carrier, token, account }: Sent,
): Promise<Continued | null> {
  const { secrets } = deps;
  const used = secrets.digest(token);
  const found = await FINDERS[carrier](tx.sessions, used);
  if (found === null || found === 'in-use') return null;
  const now = deps.clock();
  const decision = decideRefresh(found.session, { carrier, usedAt: found.usedAt }, found.userAuthEpoch, now);
  switch (decision.outcome) {
    case 'accepted': {
      const session = { ...decision.session, ...clientOfVisit(visit) };
      const next = nextToken(secrets, carrier, token);
      await tx.sessions.rotate(session, { ...next.kept, used, next: secrets.digest(next.token) }, now);
      return { session, token: next.token };
    }
    case 'repeated':
      return followCookie(secrets, tx.sessions, token, found);
    case 'reused':
      await tx.sessions.end(found.session.id, now);
      await tx.audit(deps.makeSignInEntry(visit, account.principal, 'refresh_token_reused'));
      return null;
    case 'refused':
      return null;
  }
}

type FindToken = (sessions: SessionWriter, sha256: string) => Promise<RefreshTokenState | 'in-use' | null>;

/** `holdRefreshToken` waits for the lock of a cookie, so tabs can refresh at the same time. */
const FINDERS: Readonly<Record<TokenCarrier, FindToken>> = {
  client: (sessions, sha256) => sessions.findRefreshToken(sha256),
  cookie: (sessions, sha256) => sessions.holdRefreshToken(sha256),
};

/**
 * A client's token is random. A cookie is derived from the previous cookie and a stored salt, so a late tab
 * that sends the previous cookie gets the same next one.
 */
function nextToken(secrets: SecretGenerator, carrier: TokenCarrier, token: string) {
  if (carrier === 'client') return { token: secrets.refreshToken(carrier), kept: {} };
  const salt = secrets.salt();
  return { token: secrets.nextCookieToken(token, salt), kept: { salt } };
}

async function followCookie(
  secrets: SecretGenerator,
  sessions: SessionWriter,
  replaced: string,
  found: RefreshTokenState,
): Promise<Continued | null> {
  let token = replaced;
  let state: RefreshTokenState | null = found;
  while (state !== null && state.usedAt !== null) {
    if (state.salt === null) return null;
    token = secrets.nextCookieToken(token, state.salt);
    state = await sessions.holdRefreshToken(secrets.digest(token));
  }
  return state === null ? null : { session: state.session, token };
}

/** Tokens of the session stop working within a second. Also succeeds for unknown tokens and ended sessions. */
export type SignOut = (
  refreshToken: unknown,
  carrier: TokenCarrier,
) => Promise<Result<void, ApplicationError>>;

export interface SignOutDeps {
  readonly unitOfWork: UnitOfWork;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

export function makeSignOut({ unitOfWork, secrets, clock }: SignOutDeps): SignOut {
  return async (input, carrier) => {
    const sent = parseText('refreshToken', input);
    if (!sent.ok) return sent;
    if (!isTokenOf(carrier, sent.value)) return ok(undefined);
    await unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.sessions.endByRefreshToken(secrets.digest(sent.value), clock()),
    );
    return ok(undefined);
  };
}
