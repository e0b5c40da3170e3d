/** Defines a custom field (POST /custom-fields; Contract: §3, §10). */
import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import {
  type ApplicationError,
  invalidField,
  quotaExceeded,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { resolveOwner } from '#domain/access/resolve-owner.ts';
import { fieldQuotaExceededBy } from '#domain/filter/catalog/custom-field-quota.ts';
import type { CustomFieldRecord, Owner } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type CustomFieldInput, parseCustomField, parseOwner } from './custom-field-input.ts';
import { definitionFacts } from './definition-facts.ts';

/** Needs devices:write. A key is unique per owner only. */
export type CreateCustomField = (
  call: Call,
  input: CustomFieldInput,
) => Promise<Result<CustomFieldRecord, ApplicationError>>;

export interface CreateCustomFieldDeps {
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
      const ownerFaults = !owner.ok && 'errors' in owner.error ? owner.error.errors : [];
      return err(toValidationError([...ownerFaults, ...(definition.ok ? [] : definition.error)]));
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
  organization: {
    code: 'forbidden',
    detail: 'You have no access to this organization; use one that you manage.',
  },
  partner: {
    code: 'forbidden',
    detail:
      'Only staff who reach all organizations of a partner define its custom fields; define one for an organization.',
  },
};

const UNKNOWN_OWNER: Readonly<Record<Owner['kind'], ApplicationError>> = {
  organization: invalidField('orgId', 'unknown_organization', 'orgId does not match any organization'),
  partner: invalidField('partnerId', 'unknown_partner', 'partnerId does not match any partner'),
};

function keyTaken({ key, owner }: CustomFieldRecord): ApplicationError {
  return {
    code: 'conflict',
    detail: `The ${owner.kind} has a custom field with the key ${key} already; change that one, or use another key.`,
  };
}
