import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import { type ApplicationError, CUSTOM_FIELD_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import { mayChangeFor } from '#domain/access/resolve-owner.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import type { CustomFieldId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/**
 * Finds a field that the caller may change. A partner's field is visible in its organizations, but only callers who
 * reach the whole partner may change it.
 */
export async function findChangeable(
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
