import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import { type MakeEntry, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { ApiKeyReader } from '#application/ports/auth/stores/api-key-store.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type ChangePerson, makeChangePerson } from './change-person.ts';
import {
  type InvitePerson,
  makeInvitePerson,
  makeRevokeInvitation,
  makeSendInvitation,
  type RevokeInvitation,
  type SendInvitation,
} from './invite-people.ts';
import {
  type EndSessionOf,
  type ListApiKeysOf,
  type ListSessionsOf,
  makeEndSessionOf,
  makeListApiKeysOf,
  makeListSessionsOf,
  makeResetMfaOf,
  makeRevokeApiKeyOf,
  type ResetMfaOf,
  type RevokeApiKeyOf,
} from './others-access.ts';
import { type ListPeople, makeListPeople, makeReadPerson, type ReadPerson } from './read-people.ts';

/** Contract: §16. */
export interface PeopleUseCases {
  readonly listPeople: ListPeople;
  readonly readPerson: ReadPerson;
  readonly invitePerson: InvitePerson;
  readonly sendInvitation: SendInvitation;
  readonly revokeInvitation: RevokeInvitation;
  readonly changePerson: ChangePerson;
  readonly resetMfaOf: ResetMfaOf;
  readonly listSessionsOf: ListSessionsOf;
  readonly endSessionOf: EndSessionOf;
  readonly listApiKeysOf: ListApiKeysOf;
  readonly revokeApiKeyOf: RevokeApiKeyOf;
}

export interface PeoplePorts {
  readonly peopleReader: PeopleReader;
  readonly organizationExists: OrganizationDirectory;
  readonly sessions: SessionReader;
  readonly apiKeys: ApiKeyReader;
  readonly signIns: SignInStore;
  readonly listTenants: ListTenants;
  readonly rateLimiter: RateLimiter;
  readonly secrets: SecretGenerator;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly makeEntry?: MakeEntry;
}

export function makePeopleUseCases(ports: PeoplePorts): PeopleUseCases {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const deny = makeDeny({ ...ports, makeEntry });
  const deps = { ...ports, makeEntry, deny, narrowReach: makeNarrowReach(ports) };
  return {
    listPeople: makeListPeople(deps),
    readPerson: makeReadPerson(deps),
    invitePerson: makeInvitePerson(deps),
    sendInvitation: makeSendInvitation(deps),
    revokeInvitation: makeRevokeInvitation(deps),
    changePerson: makeChangePerson(deps),
    resetMfaOf: makeResetMfaOf(deps),
    listSessionsOf: makeListSessionsOf(deps),
    endSessionOf: makeEndSessionOf(deps),
    listApiKeysOf: makeListApiKeysOf(deps),
    revokeApiKeyOf: makeRevokeApiKeyOf(deps),
  };
}
