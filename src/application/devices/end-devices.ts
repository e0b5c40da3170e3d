/** Deletes devices, and merges two devices that are one machine (Contract: §10; `fleetsift device delete|merge`). */
import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import { type ApplicationError, DEVICE_NOT_FOUND, invalidField } from '#application/application-error.ts';
import type { ActionFacts, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Device } from '#domain/device/device.ts';
import { mergeDevices } from '#domain/device/merge-devices.ts';
import { deviceRevision } from '#domain/device/revise-device.ts';
import { definitionsIn } from '#domain/filter/catalog/custom-field.ts';
import { type DeviceId, parseId } from '#domain/ids.ts';
import { areOtherMachines } from '#domain/inventory/machine-keys.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { DeviceView, ReadDevice } from './list-devices.ts';

/** The person or operator who deletes or merges. */
export interface DeviceKeeper {
  readonly scope: AccessScope;
  readonly makeEntry: (facts: ActionFacts) => AuditEntry;
}

/** Unchecked input. */
export interface MergeInput {
  readonly deviceId: unknown;
  readonly force: unknown;
}

/** Serves people and the operator. Callers check permissions first. */
export interface DeviceEnds {
  remove(
    keeper: DeviceKeeper,
    id: DeviceId,
    precondition: Precondition<string>,
  ): Promise<Result<EndedDevice, ApplicationError>>;
  /** Returns the device that is gone. */
  merge(
    keeper: DeviceKeeper,
    id: DeviceId,
    input: MergeInput,
  ): Promise<Result<EndedDevice, ApplicationError>>;
}

export type EndedDevice = Pick<Device, 'id' | 'hostname' | 'displayName'>;

interface DeviceEndsDeps {
  readonly unitOfWork: UnitOfWork;
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly customFields: CustomFieldSource;
}

export function makeDeviceEnds({ unitOfWork, deviceReader, customFields }: DeviceEndsDeps): DeviceEnds {
  return {
    remove: ({ scope, makeEntry }, id, precondition) =>
      unitOfWork(scope, async (tx): Promise<Result<EndedDevice, ApplicationError>> => {
        const [device] = await tx.devices.findAllForUpdate([id]);
        if (device === undefined) return err(DEVICE_NOT_FOUND);
        const outdated = checkPrecondition(precondition, deviceRevision(device), 'device');
        if (outdated !== null) return err(outdated);
        await tx.devices.remove(device);
        const details = { name: nameOf(device) };
        const { orgId } = device;
        await tx.audit(makeEntry({ action: 'device.delete', resourceId: id, orgId, details }));
        return ok(device);
      }),
    merge: async ({ scope, makeEntry }, id, input) => {
      const goneId = parseId<'device'>(input.deviceId);
      if (goneId === null) return err(NO_DEVICE_ID);
      if (goneId === id) return err(SAME_DEVICE);
      if (input.force !== undefined && typeof input.force !== 'boolean') return err(NO_FLAG);
      const known = await deviceReader.find(scope, id);
      if (known === null) return err(DEVICE_NOT_FOUND);
      // Definitions are read before the locks, because reading takes a second connection.
      const definitions = await customFields(narrowTo(scope, known.device.orgId));
      return unitOfWork(scope, async (tx): Promise<Result<EndedDevice, ApplicationError>> => {
        const found = await tx.devices.findAllForUpdate([id, goneId]);
        const kept = found.find((device) => device.id === id);
        const gone = found.find((device) => device.id === goneId);
        if (kept === undefined || gone?.orgId !== kept.orgId) return err(DEVICE_NOT_FOUND);
        const isForced = areOtherMachines(kept.keys, gone.keys);
        if (isForced && input.force !== true) return err(DIFFERENT_MACHINES);
        const { orgId } = kept;
        await tx.devices.merge(mergeDevices(kept, gone, definitionsIn(orgId, definitions)));
        const details = { mergedId: goneId, name: nameOf(gone), ...(isForced && { forced: true }) };
        await tx.audit(makeEntry({ action: 'device.merge', resourceId: id, orgId, details }));
        return ok(gone);
      });
    },
  };
}

export function nameOf({ displayName, hostname }: Pick<Device, 'displayName' | 'hostname'>): string {
  return displayName ?? hostname;
}

const NO_DEVICE_ID = invalidField('deviceId', 'invalid_value', 'deviceId must be the UUID of another device');
const SAME_DEVICE = invalidField(
  'deviceId',
  'invalid_value',
  'deviceId must be of another device, not of this one',
);
const NO_FLAG = invalidField('force', 'invalid_value', 'force must be true or false');

export const DIFFERENT_MACHINES: ApplicationError = {
  code: 'different_machines',
  detail:
    'The serial numbers of the two devices differ, or else their UUIDs, so they are two machines; send force: true to merge them nevertheless.',
};

/** Needs devices:write. The device's machine keys become free. */
export type DeleteDevice = (
  call: Call,
  id: DeviceId,
  precondition: Precondition<string>,
) => Promise<Result<void, ApplicationError>>;

/** Needs devices:write. Returns the device that stays. */
export type MergeDevices = (
  call: Call,
  id: DeviceId,
  input: MergeInput,
) => Promise<Result<DeviceView, ApplicationError>>;

interface EndDevicesDeps extends DeviceEndsDeps {
  readonly readDevice: ReadDevice;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeEndDevices(deps: EndDevicesDeps): {
  readonly deleteDevice: DeleteDevice;
  readonly mergeDevices: MergeDevices;
} {
  const ends = makeDeviceEnds(deps);
  async function end(
    call: Call,
    attempt: Pick<ActionFacts, 'resourceId'> & { readonly action: 'device.delete' | 'device.merge' },
    work: (keeper: DeviceKeeper) => Promise<Result<EndedDevice, ApplicationError>>,
  ): Promise<Result<void, ApplicationError>> {
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const { scope } = call.caller;
    const done = await work({ scope, makeEntry: (facts) => deps.makeEntry(call, facts) });
    if (done.ok) return ok(undefined);
    return done.error.code === 'not_found' ? deps.deny(call, attempt, done.error) : done;
  }
  return {
    deleteDevice: (call, id, precondition) =>
      end(call, { action: 'device.delete', resourceId: id }, (keeper) =>
        ends.remove(keeper, id, precondition),
      ),
    mergeDevices: async (call, id, input) => {
      const attempt = { action: 'device.merge', resourceId: id } as const;
      const merged = await end(call, attempt, (keeper) => ends.merge(keeper, id, input));
      return merged.ok ? deps.readDevice(call, id) : merged;
    },
  };
}
