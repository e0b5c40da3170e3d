/** Finds and locks the identity provider that a caller changes, and records the change (Contract: §16). */
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, notFound } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import { RIGHTS_REFUSALS } from '#application/people/rights-refusals.ts';
import type { ResolveTxt } from '#application/ports/auth/resolve-txt.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type {
  IdentityProviderReader,
  ProviderRefusal,
} from '#application/ports/auth/stores/identity-provider-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type IdentityProvider, rightsOfProvider } from '#domain/access/identity-provider.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import { mayGive } from '#domain/access/rights.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import type { IdentityProviderId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';

export interface ManageProvidersDeps {
  readonly identityProviderReader: IdentityProviderReader;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly resolveTxt: ResolveTxt;
  /** Contract: §17, OUTBOUND_PRIVATE. */
  readonly allowsPrivate: boolean;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export async function findToChange(
  deps: ManageProvidersDeps,
  call: Call,
  id: IdentityProviderId,
  action: AuditAction,
): Promise<Result<IdentityProvider, ApplicationError>> {
  const attempt = { action, resourceId: id };
  const refusal = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
  if (refusal !== null) return deps.deny(call, attempt, refusal);
  const found = await deps.identityProviderReader.find(call.caller.scope, id);
  return found === null ? deps.deny(call, attempt, PROVIDER_NOT_FOUND) : ok(found);
}

/** Runs `work` with the provider locked. It is still in reach, because its owner never changes. */
export function changeHeld<T>(
  deps: ManageProvidersDeps,
  call: Call,
  id: IdentityProviderId,
  action: AuditAction,
  work: (tx: Transaction, before: IdentityProvider) => Promise<Result<T, ApplicationError>>,
): Promise<Result<T, ApplicationError>> {
  return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<T, ApplicationError>> => {
    const attempt = { action, resourceId: id };
    const before = await tx.identityProviders.hold(id);
    if (before === null) return deps.deny(call, attempt, PROVIDER_NOT_FOUND, tx);
    if (!mayGive(call.caller, rightsOfProvider(before))) return deps.deny(call, attempt, EXCEEDED, tx);
    return work(tx, before);
  });
}

export function recordChange(
  { makeEntry }: ManageProvidersDeps,
  tx: Transaction,
  call: Call,
  { id, owner }: IdentityProvider,
  action: AuditAction,
  fields?: readonly string[],
): Promise<void> {
  const place = idsOfOwner(owner);
  const details = fields === undefined ? {} : { details: { fields } };
  return tx.audit(makeEntry(call, { action, resourceId: id, ...place, ...details }));
}

export const PROVIDER_NOT_FOUND = notFound('identity provider');

export const EXCEEDED = RIGHTS_REFUSALS['exceeds-own-rights'];

export const OUT_OF_REACH: ApplicationError = {
  code: 'forbidden',
  detail: 'You have no access to this organization or partner; use one that you manage.',
};

export const DOMAIN_TAKEN: ApplicationError = {
  code: 'domain_taken',
  detail: 'One of the domains is verified for another identity provider.',
};

export const PROVIDER_REFUSALS: Readonly<Record<ProviderRefusal, ApplicationError>> = {
  'unknown-owner': OUT_OF_REACH,
  'domain-taken': DOMAIN_TAKEN,
};
