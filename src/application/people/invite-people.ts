/** Invitations (POST, DELETE /users; Contract: §16). */
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, PERSON_NOT_FOUND } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { takenEmails, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { digestToken } from '#application/auth/links/link-input.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { NewPerson } from '#application/ports/auth/stores/link-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ListTenants, Tenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { LINK_LIFETIME_MS } from '#domain/access/account-link.ts';
import { attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import { type ChangeablePerson, type Person, standingOf } from '#domain/access/person.ts';
import { isOwnAccount } from '#domain/access/rights.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { EMAIL_TAKEN, NOT_INVITED } from './change-person.ts';
import { type NewPersonInput, parseNewPerson } from './person-input.ts';
import { RIGHTS_REFUSALS, refusePlace, refuseRightsIn } from './rights-refusals.ts';

/**
 * Checks in this order: users:write, MFA, body, rate limit, place, rights, email. The person gets a mail with a link.
 */
export type InvitePerson = <E>(
  call: Call,
  readInput: ReadInput<NewPersonInput, E>,
) => Promise<Result<Person, ApplicationError | E>>;

/** Sends a new link, which voids the earlier one. The person must still be invited. Needs fresh MFA. */
export type SendInvitation = (call: Call, id: UserId) => Promise<Result<void, ApplicationError>>;

/** Erases a person who is still invited, and the mails to them. Needs fresh MFA. */
export type RevokeInvitation = (call: Call, id: UserId) => Promise<Result<void, ApplicationError>>;

export interface InvitePeopleDeps {
  readonly peopleReader: PeopleReader;
  readonly signIns: SignInStore;
  readonly listTenants: ListTenants;
  readonly rateLimiter: RateLimiter;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: Pick<SecretGenerator, 'linkToken' | 'digest'>;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeInvitePerson(deps: InvitePeopleDeps): InvitePerson {
  return async (call, readInput) => {
    const { scope, userId, permissions: held } = call.caller;
    const attempt = { action: 'user.invited', resourceId: null } as const;
    const refusal = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const input = await readInput();
    if (!input.ok) return input;
    const id = deps.newId<'user'>();
    const parsed = parseNewPerson(input.value, held);
    if (!parsed.ok) return parsed;
    const person: NewPerson = { id, ...parsed.value, isPlatformAdmin: false };
    const place = attributionOf(person.membership);
    // Every invitation first counts against the limit, and is refunded if the email is free. So beyond the
    // limit, free and taken emails get the same answer.
    const counted = takenEmails(userId);
    const rate = await deps.rateLimiter.consume(counted);
    if (!rate.allowed) return deps.deny(call, attempt, tooManyAttempts(rate));
    const inviter = await inviterOf(deps, call);
    const placeName = nameOf(await deps.listTenants(), person.membership);
    const invited = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<void, ApplicationError>> => {
        const after = { ...person, isActive: false };
        const refused =
          (await refusePlace(tx, scope, person.membership)) ??
          (await refuseRightsIn(tx, call.caller, { userId: null, before: null, after }));
        if (refused !== null) return deps.deny(call, attempt, refused, tx);
        const taken = await tx.links.invite(person, deps.clock());
        if (taken !== null) return deps.deny(call, attempt, EMAIL_TAKEN, tx);
        await sendLink(deps, tx, { ...person, place: placeName }, inviter);
        await tx.audit(deps.makeEntry(call, { action: 'user.invited', resourceId: id, ...place }));
        return ok(undefined);
      },
    );
    if (invited.ok || invited.error.code !== EMAIL_TAKEN.code) await deps.rateLimiter.refund(counted);
    if (!invited.ok) return invited;
    const found = await deps.peopleReader.find(scope, id);
    return found === null ? err(PERSON_NOT_FOUND) : ok(found);
  };
}

/** Null for people of the whole service. */
function nameOf({ partners, organizations }: Tenants, membership: Membership): string | null {
  if (membership.scope === 'system') return null;
  const found =
    membership.scope === 'organization'
      ? organizations.find(({ id }) => id === membership.orgId)
      : partners.find(({ id }) => id === membership.partnerId);
  return found?.name ?? null;
}

export function makeSendInvitation(deps: InvitePeopleDeps): SendInvitation {
  return (call, id) =>
    toInvited(deps, call, 'user.invited', id, (tx, person, { inviter, tenants }) =>
      sendLink(deps, tx, { ...person, place: nameOf(tenants, person.membership) }, inviter),
    );
}

export function makeRevokeInvitation(deps: InvitePeopleDeps): RevokeInvitation {
  return (call, id) => toInvited(deps, call, 'user.invitation_revoked', id, (tx) => tx.eraseAccount(id));
}

/** Null if the caller has no account here. */
async function inviterOf({ signIns }: InvitePeopleDeps, { caller }: Call): Promise<string | null> {
  return (await signIns.findById(caller.userId))?.name ?? null;
}

async function sendLink(
  { secrets, clock, newId }: InvitePeopleDeps,
  tx: Transaction,
  {
    id: userId,
    email,
    name,
    place,
  }: Pick<NewPerson, 'id' | 'email' | 'name'> & { readonly place: string | null },
  inviter: string | null,
): Promise<void> {
  const [token, at] = [secrets.linkToken(), clock()];
  const purpose = 'invitation';
  await tx.links.addLink({ purpose, userId, tokenSha256: digestToken(secrets, token), at });
  await tx.mail({
    kind: 'invitation',
    requestId: newId<'account-notice'>(),
    to: { userId, email, name },
    facts: { token, expiresAt: at + LINK_LIFETIME_MS[purpose], inviter, place },
  });
}

interface Names {
  readonly inviter: string | null;
  readonly tenants: Tenants;
}

/** Checks in this order: own account, users:write, MFA, reach, rights, status. */
async function toInvited(
  deps: InvitePeopleDeps,
  call: Call,
  action: AuditAction,
  id: UserId,
  work: (tx: Transaction, person: ChangeablePerson, names: Names) => Promise<void>,
): Promise<Result<void, ApplicationError>> {
  const { caller } = call;
  const attempt = { action, resourceId: id } as const;
  const refusal =
    (isOwnAccount(caller, id) ? RIGHTS_REFUSALS['own-account'] : null) ??
    refuseWithoutUsersWrite(call) ??
    deps.requireFreshMfa(call);
  if (refusal !== null) return deps.deny(call, attempt, refusal);
  // Names are read before the transaction: reading inside it would need a second connection.
  const names = { inviter: await inviterOf(deps, call), tenants: await deps.listTenants() };
  return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
    const person = await tx.people.hold(id);
    if (person === null || !isWithinReach(caller.scope, attributionOf(person.membership))) {
      return deps.deny(call, attempt, PERSON_NOT_FOUND, tx);
    }
    const place = attributionOf(person.membership);
    const before = standingOf(person);
    const refused = await refuseRightsIn(tx, caller, { userId: id, before, after: before });
    if (refused !== null) return deps.deny(call, { ...attempt, orgId: place.orgId }, refused, tx);
    if (person.status !== 'invited') {
      return deps.deny(call, { ...attempt, orgId: place.orgId }, NOT_INVITED, tx);
    }
    await work(tx, person, names);
    await tx.audit(deps.makeEntry(call, { ...attempt, ...place }));
    return ok(undefined);
  });
}
