/** Reads one device with its related rows (GET /devices/:id; Contract: §10). */
import { type ApplicationError, DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import { customFieldsOf, type DeviceCustomField, type DeviceDetails } from '#domain/device/device-row.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface DeviceView extends DeviceDetails {
  /** The custom fields defined in the device's organization, by key. */
  readonly customFields: readonly DeviceCustomField[];
}

/** `not_found` also if the device is out of reach. */
export type ReadDevice = (call: Call, id: DeviceId) => Promise<Result<DeviceView, ApplicationError>>;

export interface ReadDeviceDeps {
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly customFields: CustomFieldSource;
}

export function makeReadDevice({ deviceReader, customFields }: ReadDeviceDeps): ReadDevice {
  return async ({ caller }, id) => {
    const details = await deviceReader.find(caller.scope, id);
    if (details === null) return err(DEVICE_NOT_FOUND);
    const definitions = await customFields(narrowTo(caller.scope, details.device.orgId));
    return ok({ ...details, customFields: customFieldsOf(details.device, definitions) });
  };
}
