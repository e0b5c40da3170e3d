/** Checks custom fields in bodies (Contract: §3, §10). */
import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  invalidField,
  toValidationError,
} from '#application/application-error.ts';
import { parseName } from '#application/input-values.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import { type CustomFieldChange, isFieldKey } from '#domain/filter/catalog/custom-field.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldRecord,
  type CustomFieldType,
  type Owner,
} from '#domain/fleet/fleet-record.ts';
import { parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { isBlank, unindexableReason, unstorableReason } from '#domain/text/storable-text.ts';

export interface CustomFieldInput {
  readonly orgId: unknown;
  readonly partnerId: unknown;
  readonly key: unknown;
  readonly name: unknown;
  readonly type: unknown;
  readonly choices: unknown;
}

export type CheckedCustomField = Pick<CustomFieldRecord, 'key' | 'name' | 'type' | 'choices'>;

/** Code points. */
const MAX_CHOICE_LENGTH = 200;

const MAX_CHOICES = 1_000;

/** Null if no owner was sent. */
export function parseOwner({
  orgId,
  partnerId,
}: Pick<CustomFieldInput, 'orgId' | 'partnerId'>): Result<Owner | null, ApplicationError> {
  const isSent = (value: unknown) => value !== undefined && value !== null;
  if (isSent(orgId) && isSent(partnerId)) {
    return err(invalidField('partnerId', 'invalid_value', 'send orgId or partnerId, not both'));
  }
  if (isSent(partnerId)) {
    const id = parseId<'partner'>(partnerId);
    if (id !== null) return ok({ kind: 'partner', partnerId: id });
    return err(invalidField('partnerId', 'invalid_value', 'partnerId must be a UUID'));
  }
  if (!isSent(orgId)) return ok(null);
  const id = parseId<'organization'>(orgId);
  if (id !== null) return ok({ kind: 'organization', orgId: id });
  return err(invalidField('orgId', 'invalid_value', 'orgId must be a UUID'));
}

export function parseCustomField(input: CustomFieldInput): Result<CheckedCustomField, readonly FieldError[]> {
  const key = parseKey(input.key);
  const name = parseName(input.name);
  const type = parseType(input.type);
  const choices = type.ok ? parseChoices(type.value, input.choices) : ok([]);
  if (key.ok && name.ok && type.ok && choices.ok) {
    return ok({ key: key.value, name: name.value, type: type.value, choices: choices.value });
  }
  return err([...faultsIn({ key, name, type }), ...(choices.ok ? [] : choices.error)]);
}

/** Fixed members may be sent unchanged, so a client can send back what it read. */
export function parseCustomFieldChange(
  input: CustomFieldInput,
  known: CustomFieldRecord,
): Result<CustomFieldChange, ApplicationError> {
  const name = input.name === undefined ? null : parseName(input.name);
  const choices = input.choices === undefined ? null : parseChoices(known.type, input.choices);
  const faults = [
    ...FIXED.filter((path) => input[path] !== undefined && input[path] !== fixedValue(known, path)).map(
      (path) => ({ path, code: 'not_changeable', message: `${path} ${CANNOT_CHANGE}` }),
    ),
    ...faultsIn({ name }),
    ...(choices?.ok === false ? choices.error : []),
  ];
  if (faults.length > 0) return err(toValidationError(faults));
  return ok({ ...(name?.ok && { name: name.value }), ...(choices?.ok && { choices: choices.value }) });
}

const FIXED = ['orgId', 'partnerId', 'key', 'type'] as const;

const CANNOT_CHANGE =
  'cannot be changed, because values are stored under it; define another custom field, and delete this one';

function fixedValue({ owner, key, type }: CustomFieldRecord, path: (typeof FIXED)[number]): string | null {
  switch (path) {
    case 'orgId':
    case 'partnerId':
      return idsOfOwner(owner)[path];
    case 'key':
      return key;
    case 'type':
      return type;
  }
}

const KEY = 'a lower-case letter followed by lower-case letters, digits and _, such as asset_tag';

function parseKey(value: unknown): Result<string, string> {
  if (value === undefined) return err(`key is required: ${KEY}`);
  if (typeof value !== 'string' || !isFieldKey(value)) {
    return err(`key must be ${KEY}, not ${describe(value)}`);
  }
  const reason = unindexableReason(value);
  return reason === null ? ok(value) : err(`key ${reason}`);
}

function parseType(value: unknown): Result<CustomFieldType, string> {
  const type = CUSTOM_FIELD_TYPES.find((each) => each === value);
  if (type !== undefined) return ok(type);
  const near = typeof value === 'string' ? nearestWord(value, CUSTOM_FIELD_TYPES) : null;
  const hint = near === null ? '' : `; did you mean "${near}"?`;
  return err(`type must be one of ${CUSTOM_FIELD_TYPES.join(', ')}${hint}`);
}

/** Required for dropdowns, refused for other types. */
function parseChoices(
  type: CustomFieldType,
  value: unknown,
): Result<readonly string[], readonly FieldError[]> {
  const fault = (path: string, message: string) => ({ path, code: 'invalid_value', message });
  if (type !== 'dropdown') {
    const isNone = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return isNone
      ? ok([])
      : err([fault('choices', `choices are for the type dropdown only, not for ${type}`)]);
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CHOICES) {
    const allowed = `a list of 1 to ${MAX_CHOICES.toLocaleString('en-US')} strings`;
    return err([fault('choices', `choices must be ${allowed}, as the type is dropdown`)]);
  }
  const faults = value.flatMap((choice: unknown, i): FieldError[] => {
    const reason = choiceFault(choice) ?? (value.indexOf(choice) < i ? 'is there before' : null);
    return reason === null ? [] : [fault(`choices[${i}]`, `choices[${i}] ${reason}`)];
  });
  return faults.length === 0 ? ok([...value]) : err(faults);
}

function choiceFault(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string, not ${describe(value)}`;
  const reason = unstorableReason(value);
  if (reason !== null) return reason;
  if (isBlank(value)) return 'must not be blank';
  const length = countCodePoints(value);
  return length <= MAX_CHOICE_LENGTH
    ? null
    : `must have at most ${MAX_CHOICE_LENGTH} characters; it has ${length}`;
}
