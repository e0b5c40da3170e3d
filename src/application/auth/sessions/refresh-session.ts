/** Continues a session with a new pair of tokens (POST /auth/refresh; Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import { isOnRecord } from '#application/audit/deny.ts';
import { REFRESHES_OF_SESSION, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_REFRESH_TOKEN } from '#application/auth/auth-refusals.ts';
import type { Visit } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { RateLimiter } from '#application/ports/auth/rate-limiter.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { SignInStore } from '#application/ports/auth/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { decideRefresh, type Session } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { MakeSignInEntry } from './sign-in-entry.ts';
import { type SignedIn, toSignedIn } from './signed-in.ts';

/**
 * A refresh token works once. Using it again ends its session, because one of its two holders must have stolen it. Of
 * two simultaneous uses, as by a client that retries, the second is merely refused. A session can be refreshed only so
 * often.
 */
export type RefreshSession = (
  visit: Visit,
  refreshToken: unknown,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface RefreshSessionDeps {
  readonly signIns: SignInStore;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly makeSignInEntry: MakeSignInEntry;
  readonly issueAccessToken: IssueAccessToken;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

export function makeRefreshSession(deps: RefreshSessionDeps): RefreshSession {
  return async (visit, input) => {
    const sent = parseText('refreshToken', input);
    if (!sent.ok) return sent;
    const used = deps.secrets.digest(sent.value);
    const owner = await deps.signIns.findByRefreshToken(used);
    if (owner === null) return err(INVALID_REFRESH_TOKEN);
    const { account, sessionId, isUsed } = owner;
    // A used token is not counted: whoever used up the limit could keep a theft from being noticed.
    if (!isUsed) {
      const rate = await deps.rateLimiter.consume(REFRESHES_OF_SESSION, sessionId);
      if (!rate.allowed) {
        const refusal = tooManyAttempts(rate);
        const entry = deps.makeSignInEntry(visit, account.principal, refusal.code);
        if (!isOnRecord(refusal)) await deps.auditLog(entry);
        return err(refusal);
      }
    }
    const next = deps.secrets.refreshToken();
    const session = await deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Session | null> => {
      const found = await tx.sessions.findRefreshToken(used);
      if (found === null || found === 'in-use') return null;
      const now = deps.clock();
      const decision = decideRefresh(found.session, found.isUsed, found.userAuthEpoch, now);
      switch (decision.outcome) {
        case 'accepted':
          await tx.sessions.rotate(decision.session, used, deps.secrets.digest(next), now);
          return decision.session;
        case 'reused':
          await tx.sessions.end(found.session.id, now);
          await tx.audit(deps.makeSignInEntry(visit, account.principal, 'refresh_token_reused'));
          return null;
        case 'refused':
          return null;
      }
    });
    if (session === null) return err(INVALID_REFRESH_TOKEN);
    return ok(await toSignedIn(deps.issueAccessToken, account, session, next));
  };
}
