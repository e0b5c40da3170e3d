import type { ApplicationError } from '#application/application-error.ts';
import { asDenied, isOnRecord } from '#application/audit/make-entry.ts';
import {
  signInsFromOwnNetwork,
  signInsOfAddress,
  signInsOfEmail,
  tooManyAttempts,
} from '#application/auth/attempt-limits.ts';
import type { Visit } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateKey, RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import type { Principal } from '#domain/access/principal.ts';
import { type AuditEntry, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import { type Err, err, ok, type Result } from '#domain/result.ts';

export interface CountedSignIn {
  /** Refunds the attempt, for failures that are not the client's fault. */
  giveBack(): Promise<void>;
  /**
   * Moves the attempt to the counter of the person's own network. Otherwise the points left for the email
   * would tell a stranger that its owner has signed in.
   */
  succeed(): Promise<void>;
}

/** Counts the attempt under every limit, or under none if one refuses. */
export type CountSignIn = (visit: Visit, email: string) => Promise<Result<CountedSignIn, ApplicationError>>;

export interface CountSignInDeps {
  readonly rateLimiter: RateLimiter;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly clock: Clock;
}

export function makeCountSignIn({ rateLimiter, hasSignedInFrom, clock }: CountSignInDeps): CountSignIn {
  // Emails without an account are looked up too, so timing reveals nothing.
  const isOwnNetwork = (email: string, ip: string) =>
    hasSignedInFrom({ email }, networkOf(ip), clock() - OWN_NETWORK_MS);

  return async ({ ip }, email) => {
    const counted: RateKey[] = [];
    const giveBack = async () => {
      for (const key of counted.splice(0)) await rateLimiter.refund(key);
    };
    const refuses = async (key: RateKey) => {
      const verdict = await rateLimiter.consume(key);
      if (!verdict.allowed) return tooManyAttempts(verdict);
      counted.push(key);
      return null;
    };
    // The client's limit comes first, so a flood from one address looks up no networks.
    const refusedClient = ip === null ? null : await refuses(signInsOfAddress(ip));
    if (refusedClient !== null) return err(refusedClient);
    const ownIp = ip !== null && (await isOwnNetwork(email, ip)) ? ip : null;
    const shared = signInsOfEmail(email);
    const refusedEmail = await refuses(ownIp === null ? shared : signInsFromOwnNetwork(email, ownIp));
    if (refusedEmail !== null) {
      await giveBack();
      return err(refusedEmail);
    }
    const succeed = async () => {
      if (ip === null || ownIp !== null) return;
      await rateLimiter.refund(shared);
      await rateLimiter.consume(signInsFromOwnNetwork(email, ip));
    };
    return ok({ giveBack, succeed });
  };
}

/**
 * Makes the entry about the account. `reason` says why the attempt was denied; null is a success. `user` is
 * null if the email has no account. The email is not recorded: it may be a password in the wrong field.
 */
export type MakeSignInEntry = (visit: Visit, user: Principal | null, reason: string | null) => AuditEntry;

export function makeSignInEntryFactory(deps: {
  readonly clock: Clock;
  readonly newId: IdGenerator;
}): MakeSignInEntry {
  return ({ requestId, ip }, user, reason) => ({
    id: deps.newId<'audit-entry'>(),
    at: deps.clock(),
    actor: user === null ? { type: 'system', id: null } : { type: 'user', id: user.userId },
    orgId: user?.scope.kind === 'organization' ? user.scope.orgId : null,
    partnerId: user?.scope.kind === 'partner' ? user.scope.partnerId : null,
    action: 'auth.login',
    resourceType: RESOURCE_TYPES['auth.login'],
    resourceId: user?.userId ?? null,
    requestId,
    ip,
    ...(reason === null ? { result: 'success', details: {} } : asDenied(reason)),
  });
}

export interface RefuseSignInDeps {
  readonly auditLog: AuditLog;
  readonly makeSignInEntry: MakeSignInEntry;
}

/** Records the refusal if {@link isOnRecord} is false, and returns it. */
export async function refuseSignIn(
  { auditLog, makeSignInEntry }: RefuseSignInDeps,
  visit: Visit,
  user: Principal | null,
  error: ApplicationError,
  reason: string = error.code,
): Promise<Err<ApplicationError>> {
  if (!isOnRecord(error)) await auditLog(makeSignInEntry(visit, user, reason));
  return err(error);
}
