/** An organization's definition of a key takes precedence over its partner's (Contract: §3, §5). */
import type { CustomValue } from '#domain/device/device.ts';
import { DATE, describe, oneOf } from '#domain/filter/values/parse-scalar.ts';
import type { CustomFieldRecord, CustomFieldType } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_CUSTOM_FIELD_BYTES_PER_OWNER, MAX_CUSTOM_FIELDS_PER_OWNER } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints, utf8Length } from '#domain/text/code-points.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import type { FieldType } from './operator-matrix.ts';

/** `orgIds` are those of the requested organizations that the definition applies to. */
export interface CustomFieldDefinition {
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly choices: readonly string[];
  readonly owner: 'organization' | 'partner';
  readonly orgIds: readonly OrgId[];
}

/** A device has no value if no variant covers its organization. */
export interface CustomFieldVariant {
  /** Null: all organizations that no other variant names. */
  readonly orgIds: ReadonlySet<OrgId> | null;
  readonly choices: readonly string[];
}

/** A custom field that has one type wherever it is defined. */
export interface CustomField {
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly variants: readonly CustomFieldVariant[];
}

/** A key with two types is ambiguous, and no filter can name it. */
export type ResolvedCustomField =
  | { readonly kind: 'defined'; readonly field: CustomField }
  | { readonly kind: 'ambiguous'; readonly key: string; readonly label: string };

/** Contract: §3. */
export const FIELD_TYPE_OF_CUSTOM = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  dropdown: 'enum',
  date: 'datetime',
} as const satisfies Record<CustomFieldType, FieldType>;

/** Whether the text can follow `custom.` in a field's key (Contract: §3). */
export function isFieldKey(key: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(key);
}

/** The keys are in code point order. */
export function resolveCustomFields(
  definitions: readonly CustomFieldDefinition[],
): ReadonlyMap<string, ResolvedCustomField> {
  const byKey = new Map<string, CustomFieldDefinition[]>();
  for (const definition of definitions) {
    const others = byKey.get(definition.key);
    if (others === undefined) byKey.set(definition.key, [definition]);
    else others.push(definition);
  }
  return new Map([...byKey.keys()].sort().map((key) => [key, resolveKey(key, byKey.get(key) ?? [])]));
}

/** The definitions that apply in one organization. */
export function definitionsIn(
  orgId: OrgId,
  definitions: readonly CustomFieldDefinition[],
): ReadonlyMap<string, CustomFieldDefinition> {
  const effective = new Map<string, CustomFieldDefinition>();
  for (const definition of definitions.filter(({ orgIds }) => orgIds.includes(orgId))) {
    if (definition.owner === 'organization' || !effective.has(definition.key)) {
      effective.set(definition.key, definition);
    }
  }
  return effective;
}

/** Null if the value does not fit (Contract: §4). Dates become epoch milliseconds. */
export function readCustomValue(
  type: CustomFieldType,
  choices: readonly string[],
  value: CustomValue | undefined,
): string | number | boolean | null {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'dropdown':
      return typeof value === 'string' && choices.includes(value) ? value : null;
    case 'date':
      return typeof value === 'string' ? (parseIsoInstant(value)?.epochMs ?? null) : null;
  }
}

function resolveKey(key: string, definitions: readonly CustomFieldDefinition[]): ResolvedCustomField {
  const ownOrgs = new Set(definitions.filter((d) => d.owner === 'organization').flatMap((d) => d.orgIds));
  const effective = definitions.flatMap((definition) => {
    const orgIds =
      definition.owner === 'organization'
        ? definition.orgIds
        : definition.orgIds.filter((orgId) => !ownOrgs.has(orgId));
    return orgIds.length === 0 ? [] : [{ ...definition, orgIds }];
  });
  const first = effective[0] ?? definitions[0];
  if (first === undefined) throw new Error(`custom field ${key} has no definition`);
  if (effective.some((definition) => definition.type !== first.type)) {
    return { kind: 'ambiguous', key, label: first.label };
  }
  const variants = effective.map(({ orgIds, choices }) => ({ orgIds: new Set(orgIds), choices }));
  return { kind: 'defined', field: { key, label: first.label, type: first.type, variants } };
}

/** Key, type and owner never change, because stored values depend on them. An absent member means no change. */
export interface CustomFieldChange {
  readonly name?: string;
  readonly choices?: readonly string[];
}

export interface CustomFieldRevision {
  readonly field: CustomFieldRecord;
  readonly changed: readonly (keyof CustomFieldChange)[];
}

export function reviseCustomField(field: CustomFieldRecord, change: CustomFieldChange): CustomFieldRevision {
  const next = { name: change.name ?? field.name, choices: change.choices ?? field.choices };
  const changed: (keyof CustomFieldChange)[] = [];
  if (next.name !== field.name) changed.push('name');
  if (!isSameList(next.choices, field.choices)) changed.push('choices');
  return { field: { ...field, ...next }, changed };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/** Describes the exceeded limit, as the end of an error message. Null if the fields fit or do not grow. */
export function fieldQuotaExceededBy(
  after: readonly CustomFieldRecord[],
  before: readonly CustomFieldRecord[],
): string | null {
  if (after.length > Math.max(before.length, MAX_CUSTOM_FIELDS_PER_OWNER)) {
    return `an owner defines at most ${grouped(MAX_CUSTOM_FIELDS_PER_OWNER)} custom fields; this one has ${grouped(before.length)}`;
  }
  const [bytesAfter, bytesBefore] = [bytesOf(after), bytesOf(before)];
  if (bytesAfter > Math.max(bytesBefore, MAX_CUSTOM_FIELD_BYTES_PER_OWNER)) {
    return `the keys, names and choices of an owner's custom fields have at most ${grouped(MAX_CUSTOM_FIELD_BYTES_PER_OWNER)} bytes in all; with this they would have ${grouped(bytesAfter)}`;
  }
  return null;
}

function bytesOf(fields: readonly CustomFieldRecord[]): number {
  return fields.reduce(
    (sum, { key, name, choices }) =>
      [key, name, ...choices].reduce((size, text) => size + utf8Length(text), sum),
    0,
  );
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** In code points. */
export const MAX_CUSTOM_TEXT_LENGTH = 4_000;

/** Checks a value before it is stored (Contract: §10). An error is the end of a message, such as `must be a number`. */
export function checkCustomValue(
  { type, choices }: Pick<CustomFieldDefinition, 'type' | 'choices'>,
  value: unknown,
): Result<string | number | boolean, string> {
  switch (type) {
    case 'text':
      return checkText(value);
    case 'number':
      if (typeof value !== 'number') return err(`must be a number, not ${describe(value)}`);
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER
        ? ok(value)
        : err('must be a number from -(2^53 - 1) to 2^53 - 1. Beyond that, numbers are not exact.');
    case 'boolean':
      return typeof value === 'boolean' ? ok(value) : err(`must be true or false, not ${describe(value)}`);
    case 'dropdown':
      return oneOf(choices).parse(value);
    case 'date':
      return checkDate(value);
  }
}

function checkDate(value: unknown): Result<string, string> {
  const parsed = DATE.parse(value);
  return parsed.ok ? ok(value as string) : parsed;
}

function checkText(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err(`must be a string, not ${describe(value)}`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(reason);
  const length = countCodePoints(value);
  const max = MAX_CUSTOM_TEXT_LENGTH.toLocaleString('en-US');
  return length <= MAX_CUSTOM_TEXT_LENGTH
    ? ok(value)
    : err(`must have at most ${max} characters; it has ${length}`);
}
