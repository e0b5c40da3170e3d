/** Begins a session after any kind of proof (Contract: §2, §16). */
import type { ApplicationError } from '#application/application-error.ts';
import { INVALID_CREDENTIALS } from '#application/auth/auth-refusals.ts';
import { clientOfVisit, type Visit } from '#application/call.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { SignInAccount } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import { type Session, sessionExpiry, type TokenCarrier } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { MakeSignInEntry } from './sign-in-attempts.ts';
import { type SignedIn, toSignedIn } from './signed-in.ts';

export type SignInProof = Pick<Session, 'mfa' | 'provenAt'>;

export interface SignInRefusal {
  readonly reason: string;
  readonly error: ApplicationError;
}

/** Uses up the proof, such as a code, in the transaction that adds the session. */
export type ProveSignIn = (tx: Transaction) => Promise<Result<SignInProof, SignInRefusal>>;

/** `changed` is the refusal if the account has changed since it was read. */
export type StartSession = (
  visit: Visit,
  carrier: TokenCarrier,
  account: SignInAccount,
  prove: ProveSignIn,
  changed?: ApplicationError,
) => Promise<Result<SignedIn, ApplicationError>>;

export interface StartSessionDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeSignInEntry: MakeSignInEntry;
  readonly issueAccessToken: IssueAccessToken;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeStartSession(deps: StartSessionDeps): StartSession {
  return async (visit, carrier, account, prove, changed = INVALID_CREDENTIALS) => {
    const { principal } = account;
    const refreshToken = deps.secrets.refreshToken(carrier);
    const now = deps.clock();
    const started = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<Session, ApplicationError>> => {
        const deny = async ({ reason, error }: SignInRefusal) => {
          await tx.audit(deps.makeSignInEntry(visit, principal, reason));
          return err(error);
        };
        const epoch = await tx.passwords.holdEpoch(principal.userId);
        // Another epoch means that the password has changed since it was checked.
        if (epoch !== account.passwordEpoch) return deny({ reason: changed.code, error: changed });
        const proof = await prove(tx);
        if (!proof.ok) return deny(proof.error);
        const session: Session = {
          id: deps.newId<'session'>(),
          userId: principal.userId,
          authEpoch: principal.authEpoch,
          ...proof.value,
          createdAt: now,
          lastUsedAt: now,
          ...clientOfVisit(visit),
          expiresAt: sessionExpiry(now, now),
          endedAt: null,
        };
        const isAdded = await tx.sessions.add(session, deps.secrets.digest(refreshToken));
        if (!isAdded) return deny({ reason: changed.code, error: changed });
        if (visit.ip !== null) {
          await tx.ownNetworks.remember(session.userId, networkOf(visit.ip), now, now - OWN_NETWORK_MS);
        }
        await tx.audit(deps.makeSignInEntry(visit, principal, null));
        return ok(session);
      },
    );
    return started.ok ? ok(await toSignedIn(deps, account, started.value, refreshToken)) : started;
  };
}
