import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { DEVICES_WRITE, mayChangeDevices } from '#domain/access/permission.ts';

/** Null if the caller holds devices:write, else `forbidden` (Contract: §10). */
export function refuseWithoutDevicesWrite({ caller }: Call): ApplicationError | null {
  return mayChangeDevices(caller)
    ? null
    : { code: 'forbidden', detail: `This needs the permission ${DEVICES_WRITE}.` };
}
