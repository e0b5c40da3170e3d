/** Checks changes of devices and reports every fault (PATCH /devices/:id, POST /devices/bulk; Contract: §10). */
import {
  type FieldError,
  faultsIn,
  toValidationError,
  type ValidationError,
} from '#application/application-error.ts';
import type { BulkChange } from '#domain/device/bulk-change.ts';
import type { Device } from '#domain/device/device.ts';
import { type DeviceChange, HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import { type CustomFieldDefinition, checkCustomValue } from '#domain/filter/catalog/custom-field.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isObject } from '#domain/text/json-text.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { isBlank, trimText, unindexableReason } from '#domain/text/storable-text.ts';

/** Unchecked input. An undefined member leaves its value unchanged. */
export interface DeviceChangeInput {
  readonly displayName?: unknown;
  readonly tags?: unknown;
  readonly custom?: unknown;
  readonly status?: unknown;
}

/** The limit for one device. */
export const MAX_TAGS = 100;

type Checked<T> = Result<T, readonly FieldError[]>;

export function parseDeviceChange(
  input: DeviceChangeInput,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
  known: Pick<Device, 'custom'>,
): Result<DeviceChange, ValidationError> {
  const displayName = input.displayName === undefined ? null : parseDisplayName(input.displayName);
  const status = input.status === undefined ? null : parseStatus(input.status);
  const tags = input.tags === undefined ? null : parseTags('tags', input.tags);
  const { custom: sent } = input;
  const custom =
    sent === undefined
      ? null
      : isObject(sent)
        ? parseCustom('custom', sent, definitions, known.custom)
        : err([notAnObject('custom', sent)]);
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

/** Trims the name; a blank one becomes null. */
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

function parseTags(path: string, value: unknown): Checked<readonly string[]> {
  if (!Array.isArray(value)) {
    return err([invalid(path, `${path} must be a list of strings, not ${describe(value)}`)]);
  }
  const faults = value.flatMap((tag: unknown, i): FieldError[] => {
    const reason = tagFault(tag);
    return reason === null ? [] : [invalid(`${path}[${i}]`, `${path}[${i}] ${reason}`)];
  });
  if (faults.length > 0) return err(faults);
  const tags = [...new Set<string>(value)];
  return tags.length <= MAX_TAGS
    ? ok(tags)
    : err([invalid(path, `${path} must be at most ${MAX_TAGS}; these are ${tags.length}`)]);
}

function invalid(path: string, message: string): FieldError {
  return { path, code: 'invalid_value', message };
}

function tagFault(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string, not ${describe(value)}`;
  return isBlank(value) ? 'must not be blank' : unindexableReason(value);
}

function notAnObject(path: string, value: unknown): FieldError {
  return invalid(
    path,
    `${path} must be an object such as {"asset_tag": "A-17"}, with null to remove a value, not ${describe(value)}`,
  );
}

/** `stored` has the keys with a stored value; these may be removed even if no field defines them. */
export function parseCustom(
  path: string,
  value: object,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
  stored: { readonly has: (key: string) => boolean },
): Checked<NonNullable<DeviceChange['custom']>> {
  const faults: FieldError[] = [];
  const values = new Map<string, string | number | boolean | null>();
  for (const [key, sent] of Object.entries(value)) {
    const checked = checkCustom(`${path}.${key}`, key, sent, definitions, stored.has(key));
    if (checked.ok) values.set(key, checked.value);
    else faults.push(checked.error);
  }
  return faults.length === 0 ? ok(values) : err(faults);
}

function checkCustom(
  path: string,
  key: string,
  sent: unknown,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
  isStored: boolean,
): Result<string | number | boolean | null, FieldError> {
  const definition = definitions.get(key);
  if (sent === null && (definition !== undefined || isStored)) return ok(null);
  if (definition === undefined) {
    const near = nearestWord(key, [...definitions.keys()]);
    const hint = near === null ? '; define it first' : `; did you mean ${near}?`;
    const message = `the device's organization has no custom field ${describe(key)}${hint}`;
    return err({ path, code: 'unknown_field', message });
  }
  const checked = checkCustomValue(definition, sent);
  return checked.ok ? checked : err(invalid(path, `${path} ${checked.error}`));
}

/** Custom values are checked later, per organization. */
export interface UncheckedBulkChange extends Omit<BulkChange, 'custom'> {
  readonly custom: Readonly<Record<string, unknown>>;
}

export function parseBulkChange(sent: unknown): Checked<UncheckedBulkChange> {
  if (sent === undefined || !isObject(sent)) {
    const code = sent === undefined ? 'value_required' : 'invalid_value';
    return err([{ path: 'change', code, message: `change must be an object ${EXAMPLE_CHANGE}` }]);
  }
  const input: BulkChangeInput = { addTags: [], removeTags: [], ...sent };
  const addTags = parseTags('change.addTags', input.addTags);
  const removeTags = parseTags('change.removeTags', input.removeTags);
  const status = input.status === undefined ? null : parseStatus(input.status);
  const { custom = {} } = input;
  const faults = [
    ...(addTags.ok ? [] : addTags.error),
    ...(removeTags.ok ? [] : removeTags.error),
    ...(isObject(custom) ? [] : [notAnObject('change.custom', custom)]),
    ...faultsIn({ 'change.status': status }),
  ];
  if (faults.length > 0 || !addTags.ok || !removeTags.ok || !isObject(custom)) return err(faults);
  const twice = removeTags.value.flatMap((tag, i) =>
    addTags.value.includes(tag)
      ? [invalid(`change.removeTags[${i}]`, `the tag ${describe(tag)} cannot be both added and removed`)]
      : [],
  );
  if (twice.length > 0) return err(twice);
  const isEmpty = addTags.value.length + removeTags.value.length + Object.keys(custom).length === 0;
  if (isEmpty && status === null) {
    return err([
      {
        path: 'change',
        code: 'value_required',
        message: `change is empty; send an object ${EXAMPLE_CHANGE}`,
      },
    ]);
  }
  return ok({
    addTags: addTags.value,
    removeTags: removeTags.value,
    custom: { ...custom },
    ...(status?.ok && { status: status.value }),
  });
}

interface BulkChangeInput extends Pick<DeviceChangeInput, 'custom' | 'status'> {
  readonly addTags?: unknown;
  readonly removeTags?: unknown;
}

const EXAMPLE_CHANGE =
  'with at least one of addTags, removeTags, custom and status, such as {"addTags": ["vip"], "status": "maintenance"}';
