/**
 * Custom fields of organizations and partners. An organization's definition of a key takes precedence over its
 * partner's (Contract: §3, §5).
 */
import { assertNever } from '#domain/assert-never.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { FieldType } from './operator-matrix.ts';

/** A definition and the organizations in question that it applies to. */
export interface CustomFieldDefinition {
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  /** Dropdown values; empty for other types. */
  readonly choices: readonly string[];
  readonly owner: 'organization' | 'partner';
  readonly orgIds: readonly OrgId[];
}

/** A key's meaning in some organizations. Devices elsewhere have no value. */
export interface CustomFieldVariant {
  /** Null means all organizations that no other variant names. */
  readonly orgIds: ReadonlySet<OrgId> | null;
  readonly choices: readonly string[];
}

/** A key with one type wherever it is defined. */
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

/** Whether the key can follow `custom.` (Contract: §3). */
export function isFieldKey(key: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(key);
}

/** The meaning of each key across the organizations in question, by key in code point order. */
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

/** The value if it fits its definition, else null (Contract: §4). Dates become epoch milliseconds. */
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
    default:
      return assertNever(type);
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
