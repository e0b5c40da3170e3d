import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, PERSON_NOT_FOUND } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type Attribution, attributionOf } from '#domain/access/ownership.ts';
import { type ChangeablePerson, type Person, personRevision, standingOf } from '#domain/access/person.ts';
import { isOwnAccount, isSameMembership } from '#domain/access/rights.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { applyChange, isNameOnly, type PersonInput } from './person-input.ts';
import { RIGHTS_REFUSALS, refusePlace, refuseRightsIn } from './rights-refusals.ts';

/**
 * PATCH /users/:id (Contract: §16). Checks in this order: own account, users:write, MFA, reach, body, version,
 * rights. A move or a new status ends the person's sessions.
 */
export type ChangePerson = <E>(
  call: Call,
  id: UserId,
  readInput: ReadInput<PersonInput, E>,
  precondition: Precondition<string>,
) => Promise<Result<Person, ApplicationError | E>>;

export interface ChangePersonDeps {
  readonly peopleReader: PeopleReader;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeChangePerson(deps: ChangePersonDeps): ChangePerson {
  return async (call, id, readInput, precondition) => {
    const attempt = { action: 'user.updated', resourceId: id } as const;
    const refused = refuseWithoutUsersWrite(call) ?? deps.requireFreshMfa(call);
    const isOwn = isOwnAccount(call.caller, id);
    if (refused !== null && !isOwn) return deps.deny(call, attempt, refused);
    const input = await readInput();
    if (isOwn && input.ok && !isNameOnly(input.value)) {
      return deps.deny(call, attempt, RIGHTS_REFUSALS['own-account']);
    }
    if (refused !== null) return deps.deny(call, attempt, refused);
    if (!input.ok) return input;
    // Staff with some of a partner's organizations do not reach themselves, but may change their own name.
    const scope = isOwn ? SYSTEM_SCOPE : call.caller.scope;
    const done = await deps.unitOfWork(scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const before = await tx.people.hold(id);
      if (before === null) return deps.deny(call, attempt, PERSON_NOT_FOUND, tx);
      const after = applyChange(before, input.value, call.caller.permissions);
      if (!after.ok) return after;
      const outdated = checkPrecondition(precondition, personRevision(before), 'person');
      if (outdated !== null) return err(outdated);
      const refusal = await refuseChange(tx, call, input.value, before, after.value);
      if (refusal !== null) {
        return deps.deny(call, { ...attempt, orgId: attributionOf(before.membership).orgId }, refusal, tx);
      }
      await store(deps, tx, call, before, after.value);
      return ok(undefined);
    });
    if (!done.ok) return done;
    const person = await deps.peopleReader.find(scope, id);
    return person === null ? err(PERSON_NOT_FOUND) : ok(person);
  };
}

async function refuseChange(
  tx: Transaction,
  { caller }: Call,
  input: PersonInput,
  before: ChangeablePerson,
  after: ChangeablePerson,
): Promise<ApplicationError | null> {
  if (before.status === 'invited' && input.status !== undefined) return NOT_ACCEPTED;
  const misplaced = isMoved(before, after) ? await refusePlace(tx, caller.scope, after.membership) : null;
  if (misplaced !== null) return misplaced;
  const refusal = await refuseRightsIn(tx, caller, {
    userId: before.id,
    before: standingOf(before),
    after: standingOf(after),
    isNameOnly: isNameOnly(input),
  });
  if (refusal !== null) return refusal;
  const isEnabled = before.status === 'disabled' && after.status === 'active';
  return isEnabled && (await tx.people.isEmailTaken(before)) ? EMAIL_TAKEN : null;
}

async function store(
  { makeEntry, clock }: ChangePersonDeps,
  tx: Transaction,
  call: Call,
  before: ChangeablePerson,
  after: ChangeablePerson,
): Promise<void> {
  const changed = changedMembers(before, after);
  if (changed.length === 0) return;
  await tx.people.replace(after);
  if (isMoved(before, after) || after.status !== before.status) {
    await tx.sessions.endOthers(after.id, null, clock());
  }
  const place = attributionOf(after.membership);
  const record = (action: AuditAction, fields: readonly string[], where: Attribution) =>
    tx.audit(makeEntry(call, { action, resourceId: after.id, ...where, details: { fields } }));
  const others = changed.filter((member) => member !== 'status');
  if (others.length > 0) await record('user.updated', others, place);
  if (after.status !== before.status) {
    await record(after.status === 'active' ? 'user.enabled' : 'user.disabled', ['status'], place);
  }
  const former = attributionOf(before.membership);
  // The log of the tenant that the person leaves gets an entry too.
  if (former.orgId !== place.orgId || former.partnerId !== place.partnerId) {
    await record('user.updated', others, former);
  }
}

function isMoved(before: ChangeablePerson, after: ChangeablePerson): boolean {
  return !isSameMembership(before.membership, after.membership);
}

function changedMembers(before: ChangeablePerson, after: ChangeablePerson): readonly string[] {
  const [old, now] = [toMembers(before), toMembers(after)];
  return MEMBERS.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
}

const MEMBERS = [
  'name',
  'permissions',
  'scope',
  'orgId',
  'partnerId',
  'orgIds',
  'isPlatformAdmin',
  'status',
] as const;

function toMembers(person: ChangeablePerson): Readonly<Record<(typeof MEMBERS)[number], unknown>> {
  const { name, permissions, membership, isPlatformAdmin, status } = person;
  const orgIds = membership.scope === 'partner' ? (membership.orgIds?.toSorted() ?? null) : null;
  return {
    ...{ name, isPlatformAdmin, status, orgIds },
    ...{ permissions: permissions.toSorted(), scope: membership.scope },
    ...attributionOf(membership),
  };
}

export const EMAIL_TAKEN: ApplicationError = {
  code: 'email_taken',
  detail: 'Another person has this email.',
};

export const NOT_INVITED: ApplicationError = {
  code: 'not_invited',
  detail: 'This is for people who are still invited.',
};

const NOT_ACCEPTED: ApplicationError = {
  code: 'not_invited',
  detail: 'The person has not accepted their invitation yet; withdraw it instead.',
};
