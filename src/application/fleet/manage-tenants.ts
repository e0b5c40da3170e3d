/** Creates, renames and deletes organizations, partners and sites (Contract: §16). */
import { refuseWithoutUsersWrite, toOwnerError } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  invalidField,
  notFound,
  ORGANIZATION_NOT_FOUND,
  PARTNER_NOT_FOUND,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import { parseName } from '#application/input-values.ts';
import {
  type ListTenants,
  NameTakenError,
  type Place,
  type PlaceKind,
} from '#application/ports/fleet/tenant-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type AccessScope, resolveNamedOrg } from '#domain/access/access-scope.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { PartnerRecord } from '#domain/fleet/fleet-record.ts';
import { parseTenantName } from '#domain/fleet/tenant-name.ts';
import { type OrgId, type PartnerId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Unchecked input. `parentId` is an organization's partner or a site's organization. */
export interface PlaceInput {
  readonly name: unknown;
  readonly parentId?: unknown;
}

type Answered<T, E> = Promise<Result<T, ApplicationError | E>>;

/** Needs users:write and fresh MFA. So do renaming and deleting. */
export type CreatePlace = <E>(
  call: Call,
  kind: PlaceKind,
  readInput: ReadInput<PlaceInput, E>,
) => Answered<Place, E>;

export type RenamePlace = <E>(
  call: Call,
  kind: PlaceKind,
  id: string,
  readInput: ReadInput<Pick<PlaceInput, 'name'>, E>,
) => Answered<Place, E>;

/** An organization must be empty. The devices of a deleted site stay, without a site. */
export type DeletePlace = (
  call: Call,
  kind: Exclude<PlaceKind, 'partner'>,
  id: string,
) => Promise<Result<void, ApplicationError>>;

/** GET /partners; sorted by name. Needs users:write in system scope. */
export type ListPartners = (
  call: Call,
) => Promise<Result<readonly Omit<PartnerRecord, 'kind'>[], ApplicationError>>;

export interface ManageTenantsDeps {
  readonly listTenants: ListTenants;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly newId: IdGenerator;
}

export function makeListPartners({ listTenants }: Pick<ManageTenantsDeps, 'listTenants'>): ListPartners {
  return async (call) => {
    const refusal = refuseWithoutUsersWrite(call) ?? refuseScope(call.caller.scope, 'partner');
    return refusal === null ? ok((await listTenants()).partners) : err(refusal);
  };
}

export function makeCreatePlace(deps: ManageTenantsDeps): CreatePlace {
  return async (call, kind, readInput) => {
    const attempt = { action: ACTIONS[kind].created, resourceId: null };
    const refusal = refuseCaller(deps, call) ?? refuseScope(call.caller.scope, kind);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const input = await readInput();
    if (!input.ok) return input;
    const name = readName(input.value.name);
    if (!name.ok) return name;
    const parent = findParent(call.caller.scope, kind, input.value.parentId);
    if (!parent.ok) return deps.deny(call, attempt, parent.error);
    const place: Place = { id: deps.newId(), parentId: parent.value, name: name.value };
    return inOne(deps, call, attempt, async (tx) => {
      if (!(await tx.tenants.add(kind, place))) return err(NO_SUCH_PARENT);
      await tx.audit(deps.makeEntry(call, { ...factsOf(kind, place), action: attempt.action }));
      return ok(place);
    });
  };
}

export function makeRenamePlace(deps: ManageTenantsDeps): RenamePlace {
  return async (call, kind, id, readInput) => {
    const attempt = { action: ACTIONS[kind].updated, resourceId: id };
    const isPartner = kind === 'partner';
    const refusal = refuseCaller(deps, call) ?? (isPartner ? refuseScope(call.caller.scope, kind) : null);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const input = await readInput();
    if (!input.ok) return input;
    const name = readName(input.value.name);
    if (!name.ok) return name;
    return inOne(deps, call, attempt, async (tx) => {
      const place = await tx.tenants.find(kind, id);
      if (place === null) return err(NOT_FOUND[kind]);
      const renamed = { ...place, name: name.value };
      if (renamed.name === place.name) return ok(place);
      await tx.tenants.rename(kind, renamed);
      const details = { fields: ['name'] };
      await tx.audit(deps.makeEntry(call, { ...factsOf(kind, place), action: attempt.action, details }));
      return ok(renamed);
    });
  };
}

export function makeDeletePlace(deps: ManageTenantsDeps): DeletePlace {
  return async (call, kind, id) => {
    const action: AuditAction = kind === 'organization' ? 'organization.deleted' : 'site.deleted';
    const attempt = { action, resourceId: id };
    const refusal = refuseCaller(deps, call) ?? refuseScope(call.caller.scope, kind);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    return inOne(deps, call, attempt, async (tx): Promise<Result<void, ApplicationError>> => {
      const place = await tx.tenants.find(kind, id);
      if (place === null) return err(NOT_FOUND[kind]);
      if (!(await tx.tenants.remove(kind, place))) return err(NOT_EMPTY);
      // After the deletion, only this entry has the name.
      const details = { name: place.name };
      await tx.audit(deps.makeEntry(call, { ...factsOf(kind, place), action, details }));
      return ok(undefined);
    });
  };
}

function refuseCaller({ requireFreshMfa }: ManageTenantsDeps, call: Call): ApplicationError | null {
  return refuseWithoutUsersWrite(call) ?? requireFreshMfa(call);
}

/** Partners need the system scope. Organizations need the system scope or the whole partner. */
function refuseScope(scope: AccessScope, kind: PlaceKind): ApplicationError | null {
  const isWhole = scope.kind === 'partner' && scope.isWhole;
  if (scope.kind === 'system' || kind === 'site' || (kind === 'organization' && isWhole)) return null;
  return {
    code: 'forbidden',
    detail:
      kind === 'partner'
        ? 'This needs access to the whole service.'
        : 'This needs access to all organizations of the partner.',
  };
}

/** Null for partners, which have no parent. The store refuses an unknown parent. */
function findParent(
  scope: AccessScope,
  kind: PlaceKind,
  sent: unknown,
): Result<string | null, ApplicationError> {
  if (kind === 'partner') return ok(null);
  const member = kind === 'site' ? 'orgId' : 'partnerId';
  const id = sent == null ? null : parseId<'organization' & 'partner'>(sent);
  if (sent != null && id === null)
    return err(invalidField(member, 'invalid_value', `${member} must be a UUID`));
  if (kind === 'site') {
    const org = resolveNamedOrg(scope, id as OrgId | null);
    return org.ok
      ? org
      : err(org.error === 'org-required' ? toOwnerError(org.error, scope.kind) : NO_SUCH_PARENT);
  }
  const partnerId = (id ?? (scope.kind === 'partner' ? scope.partnerId : null)) as PartnerId | null;
  if (partnerId === null) {
    return err(invalidField(member, 'value_required', 'partnerId is required for system scope'));
  }
  return mayChangeFor(scope, { kind: 'partner', partnerId }) ? ok(partnerId) : err(NO_SUCH_PARENT);
}

function readName(value: unknown): Result<string, ApplicationError> {
  const name = parseName(value);
  const line = name.ok ? parseTenantName(name.value) : name;
  if (line.ok) return line;
  const code = value === undefined ? 'value_required' : 'invalid_value';
  return err(invalidField('name', code, name.ok ? `name ${line.error}` : line.error));
}

/** Runs `work` in a transaction in the caller's scope. Records every refusal, including a taken name. */
async function inOne<T>(
  { unitOfWork, deny }: ManageTenantsDeps,
  call: Call,
  attempt: { readonly action: AuditAction; readonly resourceId: string | null },
  work: (tx: Transaction) => Promise<Result<T, ApplicationError>>,
): Promise<Result<T, ApplicationError>> {
  try {
    return await unitOfWork(call.caller.scope, async (tx) => {
      const done = await work(tx);
      return done.ok ? done : await deny(call, attempt, done.error, tx);
    });
  } catch (error) {
    if (error instanceof NameTakenError) return deny(call, attempt, NAME_TAKEN);
    throw error;
  }
}

function factsOf(
  kind: PlaceKind,
  { id, parentId }: Place,
): Pick<AuditEntry, 'resourceId' | 'orgId' | 'partnerId'> {
  const orgId = kind === 'organization' ? id : kind === 'site' ? parentId : null;
  const partnerId = kind === 'partner' ? id : kind === 'organization' ? parentId : null;
  return { resourceId: id, orgId: orgId as OrgId | null, partnerId: partnerId as PartnerId | null };
}

const ACTIONS = {
  partner: { created: 'partner.created', updated: 'partner.updated' },
  organization: { created: 'organization.created', updated: 'organization.updated' },
  site: { created: 'site.created', updated: 'site.updated' },
} as const satisfies Readonly<Record<PlaceKind, Readonly<Record<'created' | 'updated', AuditAction>>>>;

export const SITE_NOT_FOUND = notFound('site');

export const NOT_FOUND: Readonly<Record<PlaceKind, ApplicationError>> = {
  partner: PARTNER_NOT_FOUND,
  organization: ORGANIZATION_NOT_FOUND,
  site: SITE_NOT_FOUND,
};

const NO_SUCH_PARENT: ApplicationError = {
  code: 'forbidden',
  detail:
    'You have no access to the organization or partner that the request names; use one that you manage.',
};

export const NAME_TAKEN: ApplicationError = {
  code: 'name_taken',
  detail: 'Another one beside it has this name, in this or another case.',
};

export const NOT_EMPTY: ApplicationError = {
  code: 'not_empty',
  detail: 'The organization still has devices, people or filters; move or delete them first.',
};
