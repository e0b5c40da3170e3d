/** POST /devices/export (Contract: §10). */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Deny } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#domain/export/print-export.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { checkFields } from './check-fields.ts';
import type { DeviceQueryInput, ResolveDeviceQuery } from './resolve-device-query.ts';
import type { DeviceExport, RunExport } from './run-export.ts';

/** Unchecked input. */
export interface ExportInput extends DeviceQueryInput {
  readonly format?: unknown;
  readonly fields?: unknown;
}

/**
 * Resolves when the first row is known. The export is recorded when it ends, so read it all or cancel it by the signal.
 */
export type ExportDevices = (
  call: Call,
  input: ExportInput,
) => Promise<Result<DeviceExport, ApplicationError>>;

export interface ExportDevicesDeps {
  readonly resolveDeviceQuery: ResolveDeviceQuery;
  readonly customFields: CustomFieldSource;
  readonly runExport: RunExport;
  readonly deny: Deny;
}

export function makeExportDevices(deps: ExportDevicesDeps): ExportDevices {
  return async (call, { format, fields, ...asked }) => {
    const query = await deps.resolveDeviceQuery(call, asked);
    const faults = query.ok ? [] : faultsOf(query.error);
    if (!query.ok && faults === null) {
      return deps.deny(call, { action: 'device.export', resourceId: null }, query.error);
    }
    const checkedFormat = checkFormat(format);
    const scope = query.ok ? query.value.scope : call.caller.scope;
    const columns = await checkFields(deps.customFields, scope, fields);
    if (query.ok && checkedFormat.ok && columns.ok) {
      return deps.runExport(call, query.value, checkedFormat.value, columns.value);
    }
    return err(
      toFilterError([
        ...(faults ?? []),
        ...(checkedFormat.ok ? [] : [checkedFormat.error]),
        ...(columns.ok ? [] : columns.error),
      ]),
    );
  };
}

/** Null if the error is not about the input. */
function faultsOf(error: ApplicationError): readonly FieldError[] | null {
  return 'errors' in error ? error.errors : null;
}

function checkFormat(format: unknown): Result<ExportFormat, FieldError> {
  const known = EXPORT_FORMATS.find((each) => each === format);
  if (known !== undefined) return ok(known);
  const what = format === undefined ? 'format is required' : `format ${describe(format)} is unknown`;
  return err({
    path: 'format',
    code: format === undefined ? 'value_required' : 'invalid_value',
    message: `${what}; use one of ${EXPORT_FORMATS.join(', ')}`,
  });
}
