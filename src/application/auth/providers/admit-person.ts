/** Finds, creates or links the person whom an identity provider signs in, and gives them the rights of their groups. */
import { asDenied } from '#application/audit/make-entry.ts';
import { parseEmail } from '#application/auth/links/link-input.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { Visit } from '#application/call.ts';
import { parseName } from '#application/input-values.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ListTenants, Tenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { IdTokenFacts } from '#domain/access/id-token.ts';
import { type IdentityProvider, maySignIn, rightsByToken } from '#domain/access/identity-provider.ts';
import { attributionOf, idsOfOwner } from '#domain/access/ownership.ts';
import { refuseProvision } from '#domain/access/provider-domain.ts';
import { isSameMembership, type Rights } from '#domain/access/rights.ts';
import { type AuditAction, type AuditEntry, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { PROVISION_PROBLEMS, type ProviderProblem, type VisitingSession } from './provider-visit.ts';

/** What the provider's answer says, or why it was refused. */
export type ProviderAnswer = Result<IdTokenFacts, ProviderProblem>;

/** The active person that the ID token is about. Refusals are recorded, refused answers included. */
export type AdmitPerson = (
  visit: Visit,
  providerId: IdentityProviderId,
  answer: ProviderAnswer,
) => Promise<Result<UserId, ProviderProblem>>;

/**
 * Links the account at the provider to the session's person, who gets a mail. The session must be live. Refusals are
 * recorded, refused answers included.
 */
export type LinkPerson = (
  visit: Visit,
  session: VisitingSession,
  providerId: IdentityProviderId,
  answer: ProviderAnswer,
) => Promise<Result<null, ProviderProblem>>;

export interface AdmitPersonDeps {
  readonly signIns: SignInStore;
  readonly listTenants: ListTenants;
  readonly notifyUser: NotifyUser;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeAdmitPerson(deps: AdmitPersonDeps): AdmitPerson {
  return async (visit, providerId, answer) => {
    const tenants = await deps.listTenants();
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<UserId, ProviderProblem>> => {
      // Without the lock, two simultaneous first sign-ins could create a person twice.
      const provider = await tx.identityProviders.hold(providerId);
      if (provider === null) return err('unknown_provider');
      const identity = answer.ok
        ? await tx.identityProviders.findIdentity(providerId, answer.value.subject)
        : null;
      const admitted = !answer.ok
        ? answer
        : identity === null
          ? await makePerson(deps, tx, visit, provider, answer.value, tenants)
          : await updatePerson(deps, tx, visit, provider, answer.value, tenants, identity);
      if (!admitted.ok) {
        const userId = identity?.userId ?? null;
        const entry = entryOf(deps, visit, provider, 'auth.login', userId);
        await tx.audit({ ...entry, ...asDenied(admitted.error) });
      }
      return admitted;
    });
  };
}

async function makePerson(
  deps: AdmitPersonDeps,
  tx: Transaction,
  visit: Visit,
  provider: IdentityProvider,
  facts: IdTokenFacts,
  tenants: Tenants,
): Promise<Result<UserId, ProviderProblem>> {
  const refusal = refuseProvision(provider, facts);
  if (refusal !== null) return err(PROVISION_PROBLEMS[refusal]);
  const email = parseEmail(facts.email);
  // Some providers accept email addresses that this service does not.
  if (!email.ok) return err('no_email');
  const name = parseName(facts.name);
  const userId = deps.newId<'user'>();
  const rights = rightsByToken(provider, facts, organizationsOf(provider, tenants));
  const refused = await tx.identityProviders.makePerson(
    { id: userId, email: email.value, name: name.ok ? name.value : email.value, ...rights },
    {
      ...{ providerId: provider.id, subject: facts.subject, userId, isMade: true },
      ...{ createdAt: deps.clock(), lastSignInAt: null },
    },
  );
  if (refused === 'email-taken') return err('account_exists');
  if (refused !== null) return err('unknown_provider');
  await tx.audit(entryOf(deps, visit, provider, 'user.created', userId));
  return ok(userId);
}

async function updatePerson(
  deps: AdmitPersonDeps,
  tx: Transaction,
  visit: Visit,
  provider: IdentityProvider,
  facts: IdTokenFacts,
  tenants: Tenants,
  { userId, isMade }: { readonly userId: UserId; readonly isMade: boolean },
): Promise<Result<UserId, ProviderProblem>> {
  const person = await tx.people.hold(userId);
  const isAllowed =
    person?.status === 'active' && maySignIn(provider.owner, person, partnerOf(person.membership, tenants));
  if (person === null || !isAllowed) return err('not_allowed');
  if (!isMade || provider.groupsClaim === null) return ok(userId);
  const rights = rightsByToken(provider, facts, organizationsOf(provider, tenants));
  const fields = changedRights(person, rights);
  if (fields.length === 0) return ok(userId);
  await tx.people.replace({ ...person, ...rights });
  if (!isSameMembership(person.membership, rights.membership)) {
    await tx.sessions.endOthers(userId, null, deps.clock());
  }
  await tx.audit({ ...entryOf(deps, visit, provider, 'user.updated', userId), details: { fields } });
  return ok(userId);
}

/** The changed members, by their names in PATCH /users/:id. */
function changedRights(before: Rights, after: Rights): readonly string[] {
  const isSame = before.permissions.toSorted().join() === after.permissions.toSorted().join();
  return [
    ...(isSame ? [] : ['permissions']),
    ...(isSameMembership(before.membership, after.membership) ? [] : ['orgIds']),
  ];
}

function organizationsOf({ owner }: IdentityProvider, { organizations }: Tenants): readonly OrgId[] {
  if (owner.kind === 'organization') return [];
  return organizations.filter(({ partnerId }) => partnerId === owner.partnerId).map(({ id }) => id);
}

function partnerOf(membership: Membership, { organizations }: Tenants): PartnerId | null {
  if (membership.scope !== 'organization') return null;
  return organizations.find(({ id }) => id === membership.orgId)?.partnerId ?? null;
}

/** An entry in the log of the provider's organization or partner. */
function entryOf(
  { newId, clock }: Pick<AdmitPersonDeps, 'newId' | 'clock'>,
  { requestId, ip }: Visit,
  { id, owner }: IdentityProvider,
  action: AuditAction,
  resourceId: UserId | null,
): AuditEntry {
  return {
    ...{ id: newId<'audit-entry'>(), at: clock(), actor: { type: 'identity_provider', id } },
    ...idsOfOwner(owner),
    ...{ action, result: 'success', resourceType: RESOURCE_TYPES[action], resourceId },
    ...{ details: {}, requestId, ip },
  };
}

export function makeLinkPerson(deps: AdmitPersonDeps): LinkPerson {
  const { signIns, listTenants, notifyUser, unitOfWork, clock } = deps;
  return async (visit, { userId, sessionId, authEpoch }, providerId, answer) => {
    const tenants = await listTenants();
    const account = await signIns.findById(userId);
    if (account?.principal.authEpoch !== authEpoch) return err('visit_over');
    return unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<null, ProviderProblem>> => {
      const at = clock();
      const provider = await tx.identityProviders.hold(providerId);
      if (provider === null) return err('unknown_provider');
      const person = await tx.people.hold(userId);
      const isLive = person?.status === 'active' && (await tx.sessions.holdLive(userId, sessionId, at));
      if (person === null || !isLive) return err('visit_over');
      const entry: AuditEntry = {
        ...entryOf(deps, visit, provider, 'user.updated', userId),
        actor: { type: 'user', id: userId },
        ...attributionOf(person.membership),
        details: { fields: ['identityProvider'] },
      };
      const refuse = async (problem: ProviderProblem) => {
        await tx.audit({ ...entry, ...asDenied(problem) });
        return err(problem);
      };
      if (!answer.ok) return refuse(answer.error);
      if (!maySignIn(provider.owner, person, partnerOf(person.membership, tenants)))
        return refuse('not_allowed');
      const isLinked = await tx.identityProviders.link({
        ...{ providerId, subject: answer.value.subject, userId, isMade: false },
        ...{ createdAt: at, lastSignInAt: null },
      });
      if (!isLinked) return refuse('already_linked');
      await notifyUser(tx, userId, { kind: 'provider-linked', facts: { at, name: provider.name } });
      await tx.audit(entry);
      return ok(null);
    });
  };
}
