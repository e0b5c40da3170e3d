/** The custom fields in reach (GET /custom-fields; Contract: §10). Needs devices:write. */
import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** By key, then id; those of a partner whose organizations are in reach included. */
export type ListCustomFields = (
  call: Call,
) => Promise<Result<readonly CustomFieldRecord[], ApplicationError>>;

export function makeListCustomFields(deps: { readonly definedFields: CustomFieldReader }): ListCustomFields {
  return async (call) => {
    const refusal = refuseWithoutDevicesWrite(call);
    return refusal === null ? ok(await deps.definedFields.list(call.caller.scope)) : err(refusal);
  };
}
