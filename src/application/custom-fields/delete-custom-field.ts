import { type ApplicationError, CUSTOM_FIELD_NOT_FOUND } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { CustomFieldId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { definitionFacts } from './definition-facts.ts';
import { findChangeable } from './find-changeable.ts';

/**
 * Deletes a definition (DELETE /custom-fields/:id; Contract: §10). Needs devices:write. Stored values stay, and count
 * again if the key is defined again. Saved filters keep naming the field; their previews report it (Contract: §5).
 */
export type DeleteCustomField = (call: Call, id: CustomFieldId) => Promise<Result<void, ApplicationError>>;

export interface DeleteCustomFieldDeps {
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
