/** Changes the editable fields of a device (PATCH /devices/:id; Contract: §10). */
import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  DEVICE_NOT_FOUND,
  type FieldError,
  faultsIn,
  toValidationError,
  type ValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import {
  type DeviceChange,
  deviceRevision,
  HAND_SET_STATUSES,
  reviseDevice,
} from '#domain/device/revise-device.ts';
import {
  type CustomFieldDefinition,
  checkCustomValue,
  definitionsIn,
} from '#domain/filter/catalog/custom-field.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { isBlank, trimText, unindexableReason } from '#domain/text/storable-text.ts';
import type { DeviceView, ReadDevice } from './list-devices.ts';

// Checks what is sent to change a device, and reports every fault (PATCH /devices/:id; Contract: §10).

/** Unchecked input; undefined members stay unchanged. */
export interface DeviceChangeInput {
  readonly displayName?: unknown;
  readonly tags?: unknown;
  readonly custom?: unknown;
  readonly status?: unknown;
}

const MAX_TAGS = 100;

/** Checks the change against the custom fields of the device's organization, by key. */
function parseDeviceChange(
  input: DeviceChangeInput,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
  known: Pick<Device, 'custom'>,
): Result<DeviceChange, ValidationError> {
  const displayName = input.displayName === undefined ? null : parseDisplayName(input.displayName);
  const status = input.status === undefined ? null : parseStatus(input.status);
  const tags = input.tags === undefined ? null : parseTags(input.tags);
  const custom = input.custom === undefined ? null : parseCustom(input.custom, definitions, known);
  const faults = [
    ...faultsIn({ displayName }),
    ...(tags?.ok === false ? tags.error : []),
    ...(custom?.ok === false ? custom.error : []),
    ...faultsIn({ status }),
  ];
  if (faults.length > 0) return err(toValidationError(faults));
  return ok({
    ...(displayName?.ok && { displayName: displayName.value }),
    ...(tags?.ok && { tags: tags.value }),
    ...(custom?.ok && { custom: custom.value }),
    ...(status?.ok && { status: status.value }),
  });
}

/** Trimmed; a blank name becomes null. */
function parseDisplayName(value: unknown): Result<string | null, string> {
  if (value === null) return ok(null);
  if (typeof value !== 'string') return err(`displayName must be a string or null, not ${describe(value)}`);
  const name = trimText(value);
  const reason = unindexableReason(name);
  if (reason !== null) return err(`displayName ${reason}`);
  return ok(isBlank(name) ? null : name);
}

function parseStatus(value: unknown): Result<(typeof HAND_SET_STATUSES)[number], string> {
  const status = HAND_SET_STATUSES.find((each) => each === value);
  return status === undefined
    ? err(
        `status must be one of ${HAND_SET_STATUSES.join(', ')}, not ${describe(value)}; the device reports the others itself`,
      )
    : ok(status);
}

/** Unchanged, without duplicates. */
function parseTags(value: unknown): Result<readonly string[], readonly FieldError[]> {
  const fault = (path: string, message: string) => ({ path, code: 'invalid_value', message });
  if (!Array.isArray(value)) {
    return err([fault('tags', `tags must be a list of strings, not ${describe(value)}; [] removes all`)]);
  }
  const faults = value.flatMap((tag: unknown, i): FieldError[] => {
    const reason = tagFault(tag);
    return reason === null ? [] : [fault(`tags[${i}]`, `tags[${i}] ${reason}`)];
  });
  if (faults.length > 0) return err(faults);
  const tags = [...new Set<string>(value)];
  return tags.length <= MAX_TAGS
    ? ok(tags)
    : err([fault('tags', `tags must be at most ${MAX_TAGS}; these are ${tags.length}`)]);
}

function tagFault(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string, not ${describe(value)}`;
  return isBlank(value) ? 'must not be blank' : unindexableReason(value);
}

function parseCustom(
  value: unknown,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
  { custom: stored }: Pick<Device, 'custom'>,
): Result<NonNullable<DeviceChange['custom']>, readonly FieldError[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = `custom must be an object such as {"asset_tag": "A-17"}, with null to remove a value, not ${describe(value)}`;
    return err([{ path: 'custom', code: 'invalid_value', message }]);
  }
  const faults: FieldError[] = [];
  const values = new Map<string, string | number | boolean | null>();
  for (const [key, sent] of Object.entries(value)) {
    const path = `custom.${key}`;
    const definition = definitions.get(key);
    if (sent === null && (definition !== undefined || stored.has(key))) {
      // A value can be removed even after its definition is gone.
      values.set(key, null);
    } else if (definition === undefined) {
      faults.push({ path, code: 'unknown_field', message: unknownField(key, definitions) });
    } else {
      const checked = checkCustomValue(definition, sent);
      if (checked.ok) values.set(key, checked.value);
      else faults.push({ path, code: 'invalid_value', message: `${path} ${checked.error}` });
    }
  }
  return faults.length === 0 ? ok(values) : err(faults);
}

function unknownField(key: string, definitions: ReadonlyMap<string, unknown>): string {
  const near = nearestWord(key, [...definitions.keys()]);
  const hint = near === null ? '; define it first' : `; did you mean ${near}?`;
  return `the device's organization has no custom field ${describe(key)}${hint}`;
}

/** Needs devices:write. Returns the whole device after the change. */
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
