import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import { type ApplicationError, DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import { deviceRevision, reviseDevice } from '#domain/device/revise-device.ts';
import { definitionsIn } from '#domain/filter/catalog/custom-field.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type DeviceChangeInput, parseDeviceChange } from './check-device-change.ts';
import type { DeviceView, ReadDevice } from './list-devices.ts';

/** PATCH /devices/:id (Contract: §10). Needs devices:write. Returns the whole changed device. */
export type UpdateDevice = (
  call: Call,
  id: DeviceId,
  input: DeviceChangeInput,
  precondition: Precondition<string>,
) => Promise<Result<DeviceView, ApplicationError>>;

interface UpdateDeviceDeps {
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly customFields: CustomFieldSource;
  readonly readDevice: ReadDevice;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeUpdateDevice(deps: UpdateDeviceDeps): UpdateDevice {
  return async (call, id, input, precondition) => {
    const { scope } = call.caller;
    const attempt = { action: 'device.update', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const known = await deps.deviceReader.find(scope, id);
    if (known === null) return deps.deny(call, attempt, DEVICE_NOT_FOUND);
    const { orgId } = known.device;
    const definitions = definitionsIn(orgId, await deps.customFields(narrowTo(scope, orgId)));
    const change = parseDeviceChange(input, definitions, known.device);
    if (!change.ok) return change;
    const done = await deps.unitOfWork(scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const current = await tx.devices.findForUpdate(id);
      if (current === null) return deps.deny(call, attempt, DEVICE_NOT_FOUND, tx);
      const outdated = checkPrecondition(precondition, deviceRevision(current), 'device');
      if (outdated !== null) return err(outdated);
      const { device, changed } = reviseDevice(current, change.value);
      if (changed.length === 0) return ok(undefined);
      await tx.devices.replace(device);
      await tx.audit(deps.makeEntry(call, { ...attempt, orgId, details: { fields: changed } }));
      return ok(undefined);
    });
    return done.ok ? deps.readDevice(call, id) : done;
  };
}
