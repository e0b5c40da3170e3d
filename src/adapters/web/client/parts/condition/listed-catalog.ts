/** Builds the domain's catalog from the API's list, so the console parses filters by the rules of the domain. */
import type { ListedField } from '#adapters/http/api-types.ts';
import type { ResolvedCustomField } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';
import type { ResolveName } from '#domain/filter/text/parse/read-term.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';

const PREFIX = 'custom.';

const CUSTOM_TYPES: Readonly<Record<Exclude<FieldType, 'array' | 'version'>, CustomFieldType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  enum: 'dropdown',
  datetime: 'date',
};

export function toCatalog(fields: readonly ListedField[]): FieldCatalog {
  const custom = fields.filter(({ key }) => key.startsWith(PREFIX));
  return buildCatalog(new Map(custom.map((field) => [field.key.slice(PREFIX.length), resolve(field)])));
}

function resolve({ key, label, type, values = [] }: ListedField): ResolvedCustomField {
  const bare = key.slice(PREFIX.length);
  if (type === undefined || type === 'array' || type === 'version')
    return { kind: 'ambiguous', key: bare, label };
  // Only the server knows which organizations have which choices, so one variant has all choices.
  const variants = [{ orgIds: new Set<never>(), choices: values }];
  return { kind: 'defined', field: { key: bare, label, type: CUSTOM_TYPES[type], variants } };
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Like the server, compares whole names and ignores case. */
export function nameResolver(
  organizations: readonly Named[],
  sites: readonly Named[],
  filters: readonly Named[],
): ResolveName {
  const named: Readonly<Record<string, readonly Named[]>> = {
    orgId: organizations,
    siteId: sites,
    filter: filters,
  };
  return ({ key }, name) =>
    (named[key] ?? []).filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ id }) => id);
}
