import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  toValidationError,
} from '#application/application-error.ts';
import { parseEmail } from '#application/auth/links/link-input.ts';
import { parseName } from '#application/input-values.ts';
import type { NewPerson } from '#application/ports/auth/stores/link-store.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { ChangeablePerson } from '#domain/access/person.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import { type Id, type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Unchecked. Null counts as absent except in `orgIds`, because a client may send back what it read. */
export interface MembershipInput {
  readonly scope: unknown;
  readonly orgId: unknown;
  readonly partnerId: unknown;
  /** Null means all of the partner's organizations. */
  readonly orgIds: unknown;
}

/** Unchecked input. Absent permissions are none. */
export interface NewPersonInput extends MembershipInput {
  readonly email: unknown;
  readonly name: unknown;
  readonly permissions: unknown;
}

/** Unchecked input. */
export interface PersonInput extends MembershipInput {
  readonly name: unknown;
  readonly permissions: unknown;
  readonly isPlatformAdmin: unknown;
  readonly status: unknown;
}

export function isNameOnly({ name: _, ...others }: PersonInput): boolean {
  return Object.values(others).every((value) => value === undefined);
}

/** `held` are the caller's permissions. */
export function parseNewPerson(
  input: NewPersonInput,
  held: ReadonlySet<string>,
): Result<Pick<NewPerson, 'email' | 'name' | 'membership' | 'permissions'>, ApplicationError> {
  const parsed = {
    email: parseEmail(input.email),
    name: parseName(input.name),
    permissions: parseGivenPermissions(input.permissions ?? [], held),
  };
  const membership = resolveMembership(input, null);
  const { email, name, permissions } = parsed;
  if (!email.ok || !name.ok || !permissions.ok || !membership.ok) {
    return err(toValidationError([...faultsIn(parsed), ...(membership.ok ? [] : membership.error)]));
  }
  return ok({
    ...{ email: email.value, name: name.value },
    ...{ membership: membership.value, permissions: permissions.value },
  });
}

/** An absent member leaves its value unchanged. `held` are the caller's permissions. */
export function applyChange(
  person: ChangeablePerson,
  input: PersonInput,
  held: ReadonlySet<string>,
): Result<ChangeablePerson, ApplicationError> {
  const known = new Set([...held, ...person.permissions]);
  const parsed = {
    name: input.name === undefined ? ok(person.name) : parseName(input.name),
    permissions:
      input.permissions === undefined
        ? ok(person.permissions)
        : parseGivenPermissions(input.permissions, known),
    isPlatformAdmin:
      input.isPlatformAdmin === undefined ? ok(person.isPlatformAdmin) : parseFlag(input.isPlatformAdmin),
    status: input.status === undefined ? ok(person.status) : parseStatus(input.status),
  };
  const membership = resolveMembership(input, person.membership);
  const { name, permissions, isPlatformAdmin, status } = parsed;
  if (membership.ok && name.ok && permissions.ok && isPlatformAdmin.ok && status.ok) {
    return ok({
      ...person,
      name: name.value,
      permissions: permissions.value,
      isPlatformAdmin: isPlatformAdmin.value,
      status: status.value,
      membership: membership.value,
    });
  }
  return err(toValidationError([...faultsIn(parsed), ...(membership.ok ? [] : membership.error)]));
}

/** `known` has the permissions of the caller and the person, because host products add permissions. */
export function parseGivenPermissions(
  value: unknown,
  known: ReadonlySet<string>,
): Result<readonly string[], string> {
  const words = new Set<string>([...ADMINISTRATOR_PERMISSIONS, ...known]);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && words.has(item));
  return isList
    ? ok([...new Set<string>(value)].sort())
    : err(`permissions must be a list of ${[...words].join(', ')}`);
}

function parseFlag(value: unknown): Result<boolean, string> {
  return typeof value === 'boolean'
    ? ok(value)
    : err(`isPlatformAdmin must be true or false, not ${describe(value)}`);
}

function parseStatus(value: unknown): Result<'active' | 'disabled', string> {
  return value === 'active' || value === 'disabled'
    ? ok(value)
    : err(`status must be active or disabled, not ${describe(value)}`);
}

const SCOPES = ['organization', 'partner', 'system'] as const;

/**
 * A named tenant implies its scope. A move to another partner drops the former `orgIds`. `current` is null
 * for a new person.
 */
function resolveMembership(
  input: MembershipInput,
  current: Membership | null,
): Result<Membership, readonly FieldError[]> {
  const sent = readMembership(input);
  if (!sent.ok) return sent;
  const { orgId, partnerId, orgIds } = sent.value;
  const implied = orgId !== null ? 'organization' : partnerId !== null ? 'partner' : null;
  const scope = sent.value.scope ?? implied ?? current?.scope;
  if (scope === undefined)
    return fault('scope', 'value_required', `scope must be one of ${SCOPES.join(', ')}`);
  const stray = STRAY[scope].filter((path) => sent.value[path] != null);
  if (stray.length > 0) {
    return err(stray.map((path) => misplaced(path, `${path} does not go with the scope ${scope}`)));
  }
  switch (scope) {
    case 'system':
      return ok({ scope });
    case 'organization': {
      const id = orgId ?? (current?.scope === scope ? current.orgId : null);
      return id === null ? fault('orgId', 'value_required', NEEDS_ORGANIZATION) : ok({ scope, orgId: id });
    }
    case 'partner': {
      const before = current?.scope === scope ? current : null;
      const id = partnerId ?? before?.partnerId ?? null;
      if (id === null) return fault('partnerId', 'value_required', NEEDS_PARTNER);
      const kept = before?.partnerId === id ? before.orgIds : null;
      return ok({ scope, partnerId: id, orgIds: orgIds === undefined ? kept : orgIds });
    }
  }
}

const STRAY = {
  system: ['orgId', 'partnerId', 'orgIds'],
  organization: ['partnerId', 'orgIds'],
  partner: ['orgId'],
} as const;

const NEEDS_ORGANIZATION = 'orgId is required for a person of one organization';
const NEEDS_PARTNER = "partnerId is required for a partner's staff";

function readMembership(input: MembershipInput) {
  const scope = input.scope == null ? null : SCOPES.find((each) => each === input.scope);
  const orgId = input.orgId == null ? null : parseId<'organization'>(input.orgId);
  const partnerId = input.partnerId == null ? null : parseId<'partner'>(input.partnerId);
  const orgIds = input.orgIds == null ? (input.orgIds as null | undefined) : parseIds(input.orgIds);
  const faults = [
    ...(scope === undefined ? [misplaced('scope', `scope must be one of ${SCOPES.join(', ')}`)] : []),
    ...(input.orgId != null && orgId === null ? [misplaced('orgId', 'orgId must be a UUID')] : []),
    ...(input.partnerId != null && partnerId === null
      ? [misplaced('partnerId', 'partnerId must be a UUID')]
      : []),
    ...(input.orgIds != null && orgIds === null
      ? [misplaced('orgIds', 'orgIds must be a list of at least one UUID, or null for all of the partner')]
      : []),
  ];
  return faults.length > 0 || scope === undefined ? err(faults) : ok({ scope, orgId, partnerId, orgIds });
}

function parseIds(value: unknown): readonly OrgId[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ORGANIZATIONS) return null;
  const ids = value.map((item) => parseId<'organization'>(item));
  return ids.every((id): id is Id<'organization'> => id !== null) ? [...new Set(ids)].sort() : null;
}

const MAX_ORGANIZATIONS = 10_000;

function misplaced(path: string, message: string): FieldError {
  return { path, code: 'invalid_value', message };
}

function fault(path: string, code: string, message: string): Result<never, readonly FieldError[]> {
  return err([{ path, code, message }]);
}
