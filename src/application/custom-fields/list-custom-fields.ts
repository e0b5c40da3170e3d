import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';

/**
 * Custom fields in reach, those of partners included, by key, then id (GET /custom-fields; Contract: §10). Needs
 * devices:write.
 */
export type ListCustomFields = (
  call: Call,
) => Promise<Result<readonly CustomFieldRecord[], ApplicationError>>;

export function makeListCustomFields(deps: { readonly definedFields: CustomFieldReader }): ListCustomFields {
  return async (call) => {
    const refusal = refuseWithoutDevicesWrite(call);
    return refusal === null ? ok(await deps.definedFields.list(call.caller.scope)) : err(refusal);
  };
}
