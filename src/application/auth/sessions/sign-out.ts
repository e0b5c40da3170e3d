/** Ends a session; its tokens stop working within a second (POST /auth/logout; Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import { parseText } from '#application/auth/auth-input.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { ok, type Result } from '#domain/result.ts';

/** Succeeds for unknown tokens and ended sessions too: they cannot be used either way. */
export type SignOut = (refreshToken: unknown) => Promise<Result<void, ApplicationError>>;

export interface SignOutDeps {
  readonly unitOfWork: UnitOfWork;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

export function makeSignOut({ unitOfWork, secrets, clock }: SignOutDeps): SignOut {
  return async (input) => {
    const sent = parseText('refreshToken', input);
    if (!sent.ok) return sent;
    await unitOfWork(SYSTEM_SCOPE, (tx) =>
      tx.sessions.endByRefreshToken(secrets.digest(sent.value), clock()),
    );
    return ok(undefined);
  };
}
