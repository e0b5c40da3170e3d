/** Changes name or choices (PATCH /custom-fields/:id; Contract: §10). */
import {
  type ApplicationError,
  CUSTOM_FIELD_NOT_FOUND,
  quotaExceeded,
} from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { fieldQuotaExceededBy } from '#domain/filter/catalog/custom-field-quota.ts';
import { reviseCustomField } from '#domain/filter/catalog/revise-custom-field.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type CustomFieldInput, parseCustomFieldChange } from './custom-field-input.ts';
import { definitionFacts } from './definition-facts.ts';
import { findChangeable } from './find-changeable.ts';

/** Needs devices:write. Stored values stay; a value that is no longer a choice reads as none. */
export type UpdateCustomField = (
  call: Call,
  id: CustomFieldId,
  input: CustomFieldInput,
) => Promise<Result<CustomFieldRecord, ApplicationError>>;

export interface UpdateCustomFieldDeps {
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
