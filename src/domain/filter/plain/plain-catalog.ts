/** The fields that a filter over plain devices can name: the core ones, and custom ones as plain definitions. */
import {
  type CustomField,
  FIELD_TYPE_OF_CUSTOM,
  isFieldKey,
  type ResolvedCustomField,
} from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';

/** A custom field that every device may have, whatever its organization. */
export interface PlainCustomField {
  /** Filters name it as `custom.<key>`: lower-case letters, digits and `_`, a letter first. */
  readonly key: string;
  readonly type: CustomFieldType;
  /** What a dropdown offers, at least one; of no concern to the other types. */
  readonly choices?: readonly string[] | undefined;
}

/**
 * The same catalogue for the same array, so that thousands of filters that share definitions share an index of them,
 * too. Throws a TypeError where a definition is none, or a key is defined twice.
 */
export function plainCatalog(customFields: readonly PlainCustomField[]): FieldCatalog {
  const known = CATALOGS.get(customFields) ?? buildPlainCatalog(customFields);
  CATALOGS.set(customFields, known);
  return known;
}

const CATALOGS = new WeakMap<readonly PlainCustomField[], FieldCatalog>();

function buildPlainCatalog(customFields: readonly PlainCustomField[]): FieldCatalog {
  const resolved = new Map<string, ResolvedCustomField>();
  for (const { key, type, choices } of customFields) {
    if (!isFieldKey(key)) {
      throw new TypeError(`the key of a custom field must be like site_code, not ${describe(key)}`);
    }
    if (!Object.hasOwn(FIELD_TYPE_OF_CUSTOM, type)) {
      const types = Object.keys(FIELD_TYPE_OF_CUSTOM).join(', ');
      throw new TypeError(`the type of custom field ${key} must be one of ${types}, not ${describe(type)}`);
    }
    if (resolved.has(key)) throw new TypeError(`custom field ${key} is defined twice; leave one out`);
    const offered = type === 'dropdown' ? readChoices(key, choices) : [];
    const field: CustomField = { key, label: key, type, variants: [{ orgIds: null, choices: offered }] };
    resolved.set(key, { kind: 'defined', field });
  }
  return buildCatalog(resolved);
}

/** Without any, a dropdown would have no value, and a filter on it no right one. */
function readChoices(key: string, choices: unknown): readonly string[] {
  const isList = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
  if (isList && choices.length > 0) return choices;
  throw new TypeError(`the choices of custom field ${key} must be strings in a list, at least one`);
}
