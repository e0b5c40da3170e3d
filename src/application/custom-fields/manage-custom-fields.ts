/** Custom fields (`/custom-fields`; Contract: §3, §10). Changes need devices:write. */
import {
  ORGANIZATION_OUT_OF_REACH,
  refuseWithoutDevicesWrite,
  UNKNOWN_ORGANIZATION,
  UNKNOWN_PARTNER,
} from '#application/access/refusals.ts';
import {
  type ApplicationError,
  CUSTOM_FIELD_NOT_FOUND,
  faultsOf,
  invalidField,
  quotaExceeded,
  toValidationError,
} from '#application/application-error.ts';
import type { ActionFacts, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { idsOfOwner, mayChangeFor, resolveOwner } from '#domain/access/ownership.ts';
import { fieldQuotaExceededBy, reviseCustomField } from '#domain/filter/catalog/custom-field.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import {
  type CustomFieldInput,
  parseCustomField,
  parseCustomFieldChange,
  parseOwner,
} from './custom-field-input.ts';

/** A key is unique only per owner. */
export type CreateCustomField = (
  call: Call,
  input: CustomFieldInput,
) => Promise<Result<CustomFieldRecord, ApplicationError>>;

interface CreateCustomFieldDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly newId: IdGenerator;
}

export function makeCreateCustomField(deps: CreateCustomFieldDeps): CreateCustomField {
  return async (call, input) => {
    const { scope } = call.caller;
    const attempt = { action: 'custom_field.create', resourceId: null } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const owner = findOwner(call, input);
    if (!owner.ok && owner.error.code === 'forbidden') return deps.deny(call, attempt, owner.error);
    const definition = parseCustomField(input);
    if (!owner.ok || !definition.ok) {
      return err(toValidationError([...faultsOf(owner), ...(definition.ok ? [] : definition.error)]));
    }
    const field: CustomFieldRecord = {
      kind: 'customField',
      id: deps.newId<'custom-field'>(),
      owner: owner.value,
      ...definition.value,
    };
    return deps.unitOfWork(scope, async (tx): Promise<Result<CustomFieldRecord, ApplicationError>> => {
      const defined = await tx.customFields.holdFieldsOf(field.owner);
      if (defined === null) return err(UNKNOWN_OWNER[field.owner.kind]);
      if (defined.some(({ key }) => key === field.key)) return err(keyTaken(field));
      const excess = fieldQuotaExceededBy([...defined, field], defined);
      if (excess !== null) return err(quotaExceeded(excess));
      await tx.customFields.add(field);
      await tx.audit(
        deps.makeEntry(call, {
          action: 'custom_field.create',
          resourceId: field.id,
          ...definitionFacts(field),
        }),
      );
      return ok(field);
    });
  };
}

function findOwner({ caller: { scope } }: Call, input: CustomFieldInput): Result<Owner, ApplicationError> {
  const requested = parseOwner(input);
  if (!requested.ok) return requested;
  const owner = resolveOwner(scope, requested.value);
  if (owner.ok) return owner;
  return err(
    owner.error === 'owner-required'
      ? invalidField('orgId', 'value_required', `orgId or partnerId is required for ${scope.kind} scope`)
      : OUT_OF_REACH[requested.value?.kind ?? 'organization'],
  );
}

const OUT_OF_REACH: Readonly<Record<Owner['kind'], ApplicationError>> = {
  organization: ORGANIZATION_OUT_OF_REACH,
  partner: {
    code: 'forbidden',
    detail:
      'Only staff who reach all organizations of a partner define its custom fields; define one for an organization.',
  },
};

const UNKNOWN_OWNER: Readonly<Record<Owner['kind'], ApplicationError>> = {
  organization: UNKNOWN_ORGANIZATION,
  partner: UNKNOWN_PARTNER,
};

function keyTaken({ key, owner }: CustomFieldRecord): ApplicationError {
  return {
    code: 'conflict',
    detail: `The ${owner.kind} has a custom field with the key ${key} already; change that one, or use another key.`,
  };
}

/** A partner's field is visible in its organizations, but only callers who reach the whole partner may change it. */
async function findChangeable(
  definedFields: CustomFieldReader,
  call: Call,
  id: CustomFieldId,
): Promise<Result<CustomFieldRecord, ApplicationError>> {
  const refusal = refuseWithoutDevicesWrite(call);
  if (refusal !== null) return err(refusal);
  const { scope } = call.caller;
  const field = await definedFields.find(scope, id);
  if (field === null) return err(CUSTOM_FIELD_NOT_FOUND);
  return mayChangeFor(scope, field.owner) ? ok(field) : err(OF_THE_PARTNER);
}

const OF_THE_PARTNER: ApplicationError = {
  code: 'forbidden',
  detail:
    'This custom field belongs to the partner; only staff who reach all of its organizations change or delete it.',
};

/**
 * Changes the name or the choices. Stored values do not change. A stored value that is no longer a choice
 * reads as no value.
 */
export type UpdateCustomField = (
  call: Call,
  id: CustomFieldId,
  input: CustomFieldInput,
) => Promise<Result<CustomFieldRecord, ApplicationError>>;

interface UpdateCustomFieldDeps {
  readonly definedFields: CustomFieldReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeUpdateCustomField(deps: UpdateCustomFieldDeps): UpdateCustomField {
  return async (call, id, input) => {
    const attempt = { action: 'custom_field.update', resourceId: id } as const;
    const known = await findChangeable(deps.definedFields, call, id);
    if (!known.ok) return deps.deny(call, attempt, known.error);
    const change = parseCustomFieldChange(input, known.value);
    if (!change.ok) return change;
    return deps.unitOfWork(
      call.caller.scope,
      async (tx): Promise<Result<CustomFieldRecord, ApplicationError>> => {
        const defined = (await tx.customFields.holdFieldsOf(known.value.owner)) ?? [];
        const current = defined.find((field) => field.id === id);
        if (current === undefined) return deps.deny(call, attempt, CUSTOM_FIELD_NOT_FOUND, tx);
        const { field, changed } = reviseCustomField(current, change.value);
        if (changed.length === 0) return ok(field);
        const after = defined.map((each) => (each === current ? field : each));
        const excess = fieldQuotaExceededBy(after, defined);
        if (excess !== null) return err(quotaExceeded(excess));
        await tx.customFields.replace(field);
        const facts = definitionFacts(field);
        const details = { ...facts.details, fields: changed };
        await tx.audit(deps.makeEntry(call, { ...attempt, ...facts, details }));
        return ok(field);
      },
    );
  };
}

/**
 * Stored values are kept, and are read again if the key is defined again. Saved filters that name the field
 * are kept too, and their previews report the missing field (Contract: §5).
 */
export type DeleteCustomField = (call: Call, id: CustomFieldId) => Promise<Result<void, ApplicationError>>;

interface DeleteCustomFieldDeps {
  readonly definedFields: CustomFieldReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeDeleteCustomField(deps: DeleteCustomFieldDeps): DeleteCustomField {
  return async (call, id) => {
    const attempt = { action: 'custom_field.delete', resourceId: id } as const;
    const known = await findChangeable(deps.definedFields, call, id);
    if (!known.ok) return deps.deny(call, attempt, known.error);
    return deps.unitOfWork(call.caller.scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const defined = (await tx.customFields.holdFieldsOf(known.value.owner)) ?? [];
      const field = defined.find((each) => each.id === id);
      if (field === undefined) return deps.deny(call, attempt, CUSTOM_FIELD_NOT_FOUND, tx);
      await tx.customFields.remove(id);
      await tx.audit(deps.makeEntry(call, { ...attempt, ...definitionFacts(field) }));
      return ok(undefined);
    });
  };
}

/** Lists the fields in reach, including partners' fields, by key, then id. Needs devices:write. */
export type ListCustomFields = (
  call: Call,
) => Promise<Result<readonly CustomFieldRecord[], ApplicationError>>;

export function makeListCustomFields(deps: { readonly definedFields: CustomFieldReader }): ListCustomFields {
  return async (call) => {
    const refusal = refuseWithoutDevicesWrite(call);
    return refusal === null ? ok(await deps.definedFields.list(call.caller.scope)) : err(refusal);
  };
}

function definitionFacts({
  owner,
  key,
  type,
}: CustomFieldRecord): Required<Pick<ActionFacts, 'orgId' | 'partnerId' | 'details'>> {
  return {
    ...idsOfOwner(owner),
    details: { key, type },
  };
}
