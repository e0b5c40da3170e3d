/** Invited people, and the first administrator of an empty service, set a password (Contract: §16). */
import { type ApplicationError, faultsIn, toValidationError } from '#application/application-error.ts';
import type { MakeVisitEntry } from '#application/audit/make-entry.ts';
import { parseText } from '#application/auth/auth-input.ts';
import type { Visit } from '#application/call.ts';
import { NAME_TAKEN } from '#application/fleet/manage-tenants.ts';
import { parseName } from '#application/input-values.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { LinkedAccount } from '#application/ports/auth/stores/link-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { isSameName, parseTenantName } from '#domain/fleet/tenant-name.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  type AcceptInput,
  type CheckedAcceptance,
  digestToken,
  LINK_INVALID,
  parseAcceptance,
  parseEmail,
} from './link-input.ts';

/** All members are null for a first-run link, which creates the first administrator. */
export interface Invitation {
  readonly email: string | null;
  readonly name: string | null;
  readonly organization: { readonly id: OrgId; readonly name: string } | null;
  readonly partner: { readonly id: PartnerId; readonly name: string } | null;
}

/** Reading the invitation leaves the link valid. */
export type ReadInvitation = (token: unknown) => Promise<Result<Invitation, ApplicationError>>;

/** Makes an invited person active, or creates the first partner, organization and administrator. Starts no session. */
export type AcceptInvitation = (visit: Visit, input: AcceptInput) => Promise<Result<void, ApplicationError>>;

export interface InvitationDeps {
  readonly unitOfWork: UnitOfWork;
  readonly listTenants: ListTenants;
  readonly hashPassword: PasswordHasher;
  readonly makeVisitEntry: MakeVisitEntry;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeReadInvitation(deps: InvitationDeps): ReadInvitation {
  return async (sent) => {
    const token = parseText('token', sent);
    if (!token.ok) return token;
    const person = await findLinked(deps, token.value);
    if (person === null) return err(LINK_INVALID);
    if (person === 'nobody') return ok({ email: null, name: null, organization: null, partner: null });
    const { email, name, membership } = person;
    const { organizations, partners } = await deps.listTenants();
    const organization =
      membership.scope === 'organization'
        ? organizations.find(({ id }) => id === membership.orgId)
        : undefined;
    const partnerId = membership.scope === 'partner' ? membership.partnerId : organization?.partnerId;
    const partner = partners.find(({ id }) => id === partnerId);
    return ok({
      ...{ email, name },
      organization: organization === undefined ? null : { id: organization.id, name: organization.name },
      partner: partner === undefined ? null : { id: partner.id, name: partner.name },
    });
  };
}

/** `nobody` for a first-run link; null if the link is not valid. */
async function findLinked(
  { unitOfWork, secrets, clock }: InvitationDeps,
  token: string,
): Promise<LinkedAccount | 'nobody' | null> {
  const tokenSha256 = digestToken(secrets, token);
  return unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const invited = await tx.links.hold(tokenSha256, 'invitation', clock());
    if (invited !== null) return invited;
    const first = await tx.links.hold(tokenSha256, 'first-run', clock());
    return first === null || (await tx.links.hasPeople()) ? null : first;
  });
}

export function makeAcceptInvitation(deps: InvitationDeps): AcceptInvitation {
  return async (visit, input) => {
    const sent = parseAcceptance(input);
    if (!sent.ok) return sent;
    const person = await findLinked(deps, sent.value.token);
    if (person === null) return err(LINK_INVALID);
    const first = person === 'nobody' ? parseFirstRun(input) : null;
    if (first?.ok === false) return first;
    const passwordHash = await deps.hashPassword(sent.value.password);
    return first === null
      ? acceptAsPerson(deps, visit, sent.value, passwordHash)
      : beginService(deps, visit, sent.value, { ...first.value, passwordHash });
  };
}

function acceptAsPerson(
  { unitOfWork, makeVisitEntry, secrets, clock }: InvitationDeps,
  visit: Visit,
  { token, name }: CheckedAcceptance,
  passwordHash: string,
): Promise<Result<void, ApplicationError>> {
  return unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
    const person = await tx.links.hold(digestToken(secrets, token), 'invitation', clock());
    if (person === null || person === 'nobody') return err(LINK_INVALID);
    const { userId, membership } = person;
    await tx.links.accept(userId, { name: name ?? person.name, passwordHash });
    const facts = { action: 'user.invitation_accepted', resourceId: userId, details: {} } as const;
    const entry = makeVisitEntry(visit, { ...facts, ...attributionOf(membership) });
    await tx.audit({ ...entry, actor: { type: 'user', id: userId } });
    return ok(undefined);
  });
}

interface FirstRun {
  readonly email: string;
  readonly name: string;
  readonly partnerName: string;
  readonly organizationName: string;
}

function parseFirstRun(input: AcceptInput): Result<FirstRun, ApplicationError> {
  const email = parseEmail(input.email);
  const name = parseName(input.name);
  const partnerName = parseTenant('partnerName', input.partnerName);
  const organizationName = parseTenant('organizationName', input.organizationName);
  if (email.ok && name.ok && partnerName.ok && organizationName.ok) {
    return ok({
      email: email.value,
      name: name.value,
      partnerName: partnerName.value,
      organizationName: organizationName.value,
    });
  }
  return err(toValidationError(faultsIn({ email, name, partnerName, organizationName })));
}

function parseTenant(path: string, value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err(`${path} must be a string`);
  const name = parseTenantName(value);
  return name.ok ? name : err(`${path} ${name.error}`);
}

/** Simultaneous calls take turns: the first creates the administrator, and the others are refused. */
function beginService(
  { unitOfWork, makeVisitEntry, secrets, clock, newId }: InvitationDeps,
  visit: Visit,
  { token }: CheckedAcceptance,
  { email, name, partnerName, organizationName, passwordHash }: FirstRun & { readonly passwordHash: string },
): Promise<Result<void, ApplicationError>> {
  return unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
    const tenants = await tx.tenants.hold();
    const now = clock();
    const held = await tx.links.hold(digestToken(secrets, token), 'first-run', now);
    if (held === null || (await tx.links.hasPeople())) return err(LINK_INVALID);
    if (tenants.partners.some((partner) => isSameName(partner.name, partnerName))) return err(NAME_TAKEN);
    const partner = { id: newId<'partner'>(), name: partnerName };
    const organization = { id: newId<'organization'>(), partnerId: partner.id, name: organizationName };
    const userId = newId<'user'>();
    await tx.tenants.addPartner(partner);
    await tx.tenants.addOrganization(organization);
    const rights = { permissions: ADMINISTRATOR_PERMISSIONS, isPlatformAdmin: true };
    const person = { id: userId, email, name, membership: { scope: 'system' } as const, ...rights };
    await tx.links.addAdministrator(person, passwordHash, now);
    await tx.links.removeLinks(null);
    const orgId = organization.id;
    for (const made of [
      { action: 'user.created', resourceId: userId, orgId: null, partnerId: null },
      { action: 'partner.created', resourceId: partner.id, orgId: null, partnerId: partner.id },
      { action: 'organization.created', resourceId: orgId, orgId, partnerId: partner.id },
    ] as const) {
      const entry = makeVisitEntry(visit, { ...made, details: {} });
      await tx.audit({ ...entry, actor: { type: 'user', id: userId } });
    }
    return ok(undefined);
  });
}

/** Makes the token of a first-run link. Null if the service already has people. */
export type MakeFirstLink = () => Promise<string | null>;

export interface FirstLinkDeps {
  readonly unitOfWork: UnitOfWork;
  readonly secrets: Pick<SecretGenerator, 'linkToken' | 'digest'>;
  readonly clock: Clock;
}

/** Earlier links stay valid, because another instance may have printed one. */
export function makeFirstLink({ unitOfWork, secrets, clock }: FirstLinkDeps): MakeFirstLink {
  return () =>
    unitOfWork(SYSTEM_SCOPE, async (tx) => {
      if (await tx.links.hasPeople()) return null;
      const token = secrets.linkToken();
      const tokenSha256 = digestToken(secrets, token);
      await tx.links.addLink({ purpose: 'first-run', userId: null, tokenSha256, at: clock() });
      return token;
    });
}

/** True if the service has no people; a first-run link then creates the first person. */
export type IsEmptyService = () => Promise<boolean>;

export function makeIsEmptyService({ unitOfWork }: Pick<FirstLinkDeps, 'unitOfWork'>): IsEmptyService {
  return () => unitOfWork(SYSTEM_SCOPE, async (tx) => !(await tx.links.hasPeople()));
}
