/** Reserves changes of devices and custom fields for holders of devices:write (Contract: §10). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { DEVICES_WRITE, mayChangeDevices } from '#domain/access/permission.ts';

/** Null if the caller holds devices:write, else `forbidden`. */
export function refuseWithoutDevicesWrite({ caller }: Call): ApplicationError | null {
  return mayChangeDevices(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${DEVICES_WRITE}.` };
}
