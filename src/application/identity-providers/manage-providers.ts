/** Administrators manage identity providers (Contract: §16). All need users:write. */
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, invalidField, toValidationError } from '#application/application-error.ts';
import { domainLookUps, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { digestToken } from '#application/auth/links/link-input.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { PROVIDER_GONE_LINK_MS } from '#domain/access/account-link.ts';
import { type IdentityProvider, rightsOfProvider } from '#domain/access/identity-provider.ts';
import { isSameOwner, resolveOwner } from '#domain/access/ownership.ts';
import { verificationRecord } from '#domain/access/provider-domain.ts';
import { mayGive } from '#domain/access/rights.ts';
import type { IdentityProviderId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  changeHeld,
  EXCEEDED,
  findToChange,
  type ManageProvidersDeps,
  OUT_OF_REACH,
  PROVIDER_NOT_FOUND,
  PROVIDER_REFUSALS,
  recordChange,
} from './hold-provider.ts';
import { type ParsedProvider, type ProviderInput, parseNamedOwner, parseProvider } from './provider-input.ts';

type Answered<T, E = never> = Promise<Result<T, ApplicationError | E>>;

/** Lists the providers in reach by name. */
export type ListProviders = (call: Call) => Answered<readonly IdentityProvider[]>;

/** Error: `not_found`, also if the provider is out of reach. */
export type ReadProvider = (call: Call, id: IdentityProviderId) => Answered<IdentityProvider>;

/** Checks in this order: users:write, fresh MFA, body, owner, rights, domains. */
export type CreateProvider = <E>(
  call: Call,
  readInput: ReadInput<ProviderInput, E>,
) => Answered<IdentityProvider, E>;

/** The caller needs all rights that the provider gives before the change and all that it gives after it. */
export type ChangeProvider = <E>(
  call: Call,
  id: IdentityProviderId,
  readInput: ReadInput<ProviderInput, E>,
) => Answered<IdentityProvider, E>;

/** The provider's people keep their accounts. Those without a password get a mail with a link to set one. */
export type DeleteProvider = (call: Call, id: IdentityProviderId) => Answered<void>;

/** Looks up the DNS records of unverified domains. Without its record, a domain stays unverified. */
export type VerifyDomains = (call: Call, id: IdentityProviderId) => Answered<IdentityProvider>;

export function makeListProviders({
  identityProviderReader,
}: Pick<ManageProvidersDeps, 'identityProviderReader'>): ListProviders {
  return async (call) => {
    const refusal = refuseWithoutUsersWrite(call);
    return refusal === null ? ok(await identityProviderReader.list(call.caller.scope)) : err(refusal);
  };
}

export function makeReadProvider({
  identityProviderReader,
}: Pick<ManageProvidersDeps, 'identityProviderReader'>): ReadProvider {
  return async (call, id) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const found = await identityProviderReader.find(call.caller.scope, id);
    return found === null ? err(PROVIDER_NOT_FOUND) : ok(found);
  };
}

export function makeCreateProvider(deps: ManageProvidersDeps): CreateProvider {
  return async (call, readInput) => {
    const attempt = { action: 'identity_provider.created', resourceId: null } as const;
    const refusal = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const input = await readInput();
    if (!input.ok) return input;
    const parsed = parseProvider(input.value, null, rulesFor(deps, call));
    if (!parsed.ok) return parsed;
    const named = parseNamedOwner(input.value);
    if (!named.ok) return err(toValidationError(named.error));
    const owner = resolveOwner(call.caller.scope, named.value);
    if (!owner.ok) {
      return owner.error === 'owner-required' ? err(OWNER_REQUIRED) : deps.deny(call, attempt, OUT_OF_REACH);
    }
    const { clientSecret, ...settings } = parsed.value;
    if (clientSecret === null) throw new Error('a new identity provider has a secret');
    const [id, createdAt] = [deps.newId<'identity-provider'>(), deps.clock()];
    const provider: IdentityProvider = { id, owner: owner.value, createdAt, ...settings };
    if (!mayGive(call.caller, rightsOfProvider(provider))) return deps.deny(call, attempt, EXCEEDED);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<IdentityProvider, ApplicationError>> => {
      const refused = await tx.identityProviders.add(provider, clientSecret);
      if (refused !== null) return deps.deny(call, attempt, PROVIDER_REFUSALS[refused], tx);
      await recordChange(deps, tx, call, provider, attempt.action);
      return ok(provider);
    });
  };
}

export function makeChangeProvider(deps: ManageProvidersDeps): ChangeProvider {
  return async (call, id, readInput) => {
    const attempt = { action: 'identity_provider.updated', resourceId: id } as const;
    const found = await findToChange(deps, call, id, attempt.action);
    if (!found.ok) return found;
    const input = await readInput();
    if (!input.ok) return input;
    return changeHeld(deps, call, id, attempt.action, async (tx, before) => {
      const parsed = parseProvider(input.value, before, rulesFor(deps, call));
      if (!parsed.ok) return parsed;
      const named = parseNamedOwner(input.value);
      if (!named.ok) return err(toValidationError(named.error));
      if (named.value !== null && !isSameOwner(named.value, before.owner)) return err(OWNER_STAYS);
      const { clientSecret, ...settings } = parsed.value;
      const after: IdentityProvider = { ...before, ...settings };
      if (!mayGive(call.caller, rightsOfProvider(after))) return deps.deny(call, attempt, EXCEEDED, tx);
      const fields = changedFields(before, parsed.value);
      if (fields.length === 0) return ok(before);
      const refused = await tx.identityProviders.replace(after, clientSecret);
      if (refused !== null) return deps.deny(call, attempt, PROVIDER_REFUSALS[refused], tx);
      await recordChange(deps, tx, call, after, attempt.action, fields);
      return ok(after);
    });
  };
}

export function makeVerifyDomains(deps: ManageProvidersDeps): VerifyDomains {
  return async (call, id) => {
    const attempt = { action: 'identity_provider.updated', resourceId: id } as const;
    const found = await findToChange(deps, call, id, attempt.action);
    if (!found.ok) return found;
    const rate = await deps.rateLimiter.consume(domainLookUps(call.caller.userId));
    if (!rate.allowed) return deps.deny(call, attempt, tooManyAttempts(rate));
    // Looks up DNS before the transaction: slow name servers must not prolong its locks.
    const looked = await Promise.all(
      found.value.domains
        .filter(({ isVerified }) => !isVerified)
        .map(async ({ domain }) => {
          const { name, value } = verificationRecord(id, domain);
          return ((await deps.resolveTxt(name)) ?? []).includes(value) ? [domain] : [];
        }),
    );
    const verified = new Set(looked.flat());
    if (verified.size === 0) return found;
    return changeHeld(deps, call, id, attempt.action, async (tx, before) => {
      const domains = before.domains.map((each) => ({
        ...each,
        isVerified: each.isVerified || verified.has(each.domain),
      }));
      const after = { ...before, domains };
      const refused = await tx.identityProviders.replace(after, null);
      if (refused !== null) return deps.deny(call, attempt, PROVIDER_REFUSALS[refused], tx);
      await recordChange(deps, tx, call, after, attempt.action, ['domains']);
      return ok(after);
    });
  };
}

export function makeDeleteProvider(deps: ManageProvidersDeps): DeleteProvider {
  return async (call, id) => {
    const action = 'identity_provider.deleted';
    const found = await findToChange(deps, call, id, action);
    if (!found.ok) return found;
    return changeHeld(deps, call, id, action, async (tx, provider) => {
      const dependent = await tx.identityProviders.listDependent(id);
      await tx.identityProviders.remove(id);
      for (const userId of dependent) await sendPasswordLink(deps, tx, userId, provider);
      await recordChange(deps, tx, call, provider, action);
      return ok(undefined);
    });
  };
}

async function sendPasswordLink(
  { secrets, clock, newId }: ManageProvidersDeps,
  tx: Transaction,
  userId: UserId,
  { name }: IdentityProvider,
): Promise<void> {
  const person = await tx.people.hold(userId);
  if (person === null) return;
  const [token, at] = [secrets.linkToken(), clock()];
  const tokenSha256 = digestToken(secrets, token);
  const lifetimeMs = PROVIDER_GONE_LINK_MS;
  await tx.links.addLink({ purpose: 'password-reset', userId, tokenSha256, at, lifetimeMs });
  await tx.mail({
    kind: 'provider-gone',
    requestId: newId<'account-notice'>(),
    to: { userId, email: person.email, name: person.name },
    facts: { token, expiresAt: at + lifetimeMs, name },
  });
}

function rulesFor({ allowsPrivate }: ManageProvidersDeps, { caller }: Call) {
  return { held: caller.permissions, setsVerified: caller.scope.kind === 'system', allowsPrivate };
}

/** Returns the names of the changed members, as in bodies. */
function changedFields(before: IdentityProvider, after: ParsedProvider): readonly string[] {
  const differs = (name: keyof typeof FIELDS) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  const changed = names.filter(differs).map((name) => FIELDS[name]);
  return after.clientSecret === null ? changed : [...changed, 'clientSecret'];
}

const FIELDS = {
  name: 'name',
  clientId: 'clientId',
  domains: 'domains',
  provisions: 'provision',
  permissions: 'permissions',
  groupsClaim: 'groupsClaim',
  groups: 'groups',
  trustsMfa: 'trustMfa',
  acrValues: 'acrValues',
} as const;

const OWNER_STAYS = invalidField(
  'orgId',
  'invalid_value',
  'an identity provider stays with its organization or partner; add another one instead',
);

const OWNER_REQUIRED = invalidField('orgId', 'value_required', 'orgId or partnerId is required');
