/** The fields of plain devices: core fields and plain custom definitions. */
import {
  type CustomField,
  FIELD_TYPE_OF_CUSTOM,
  isFieldKey,
  type ResolvedCustomField,
} from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';

/** A custom field that applies to every device. */
export interface PlainCustomField {
  /** Lower-case letters, digits and `_`, starting with a letter; filters name it `custom.<key>`. */
  readonly key: string;
  readonly type: CustomFieldType;
  /** At least one for a dropdown; ignored for other types. */
  readonly choices?: readonly string[] | undefined;
}

/**
 * Returns the same catalogue for the same array, so thousands of filters share it. Throws a TypeError on malformed or
 * duplicate definitions.
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

/** A dropdown without choices could never have a valid value. */
function readChoices(key: string, choices: unknown): readonly string[] {
  const isList = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
  if (isList && choices.length > 0) return choices;
  throw new TypeError(`the choices of custom field ${key} must be strings in a list, at least one`);
}
