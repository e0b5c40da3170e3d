/** Ends a session; its tokens stop working within a second (POST /auth/logout, DELETE /auth/session; Contract: §2, §14). */
import type { ApplicationError } from '#application/application-error.ts';
import { parseText } from '#application/auth/auth-input.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { isTokenOf, type TokenCarrier } from '#domain/access/session.ts';
import { ok, type Result } from '#domain/result.ts';

/** Succeeds for unknown tokens, those of another carrier, and ended sessions too: here they cannot be used either way. */
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
