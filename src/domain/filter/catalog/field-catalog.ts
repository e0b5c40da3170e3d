import {
  CORE_FIELDS,
  type CoreField,
  type CoreFieldKey,
  type FieldCategory,
  isListFieldKey,
  isPatchFieldKey,
  isRowsFieldKey,
  isSoftwareFieldKey,
  type ListFieldKey,
  type PatchFieldKey,
  type RowsFieldKey,
  type SoftwareFieldKey,
  type ValueFieldKey,
} from './core-fields.ts';
import { type CustomField, FIELD_TYPE_OF_CUSTOM, type ResolvedCustomField } from './custom-field.ts';
import type { InnerFilters } from './inner-filters.ts';
import type { Operator } from './operator.ts';
import { type FieldType, OPERATORS_BY_TYPE } from './operator-matrix.ts';
import { keyOfTitle, type NamedTitle, titleOfKey } from './title-versions.ts';

/** A field. `reads` tells the kinds of fields apart. */
export type FilterField =
  | ValueField
  | RowsField
  | ListField
  | SoftwareField
  | VersionsField
  | PatchField
  | InnerField;

/** At most one value per device. */
export interface ValueField extends FieldFacts {
  readonly reads: 'value';
  readonly type: Exclude<FieldType, 'array'>;
  readonly source:
    | { readonly kind: 'core'; readonly key: ValueFieldKey }
    | { readonly kind: 'custom'; readonly field: CustomField };
}

/** Several rows per device. A condition holds if any row matches. */
export interface RowsField extends FieldFacts {
  readonly reads: 'rows';
  readonly type: 'string';
  readonly source: { readonly kind: 'core'; readonly key: RowsFieldKey };
}

/** One list per device, which conditions test as a whole. */
export interface ListField extends FieldFacts {
  readonly reads: 'list';
  readonly type: 'array';
  readonly source: { readonly kind: 'core'; readonly key: ListFieldKey };
}

/** Tests names of installed software. */
export interface SoftwareField extends FieldFacts {
  readonly reads: 'software';
  readonly type: 'string';
  readonly source: { readonly kind: 'core'; readonly key: SoftwareFieldKey };
}

/** Installed versions of one title. A condition holds if any version matches. */
export interface VersionsField extends FieldFacts {
  readonly reads: 'versions';
  readonly type: 'version';
  readonly source: NamedTitle;
}

/** Tests titles of pending or failed patches. */
export interface PatchField extends FieldFacts {
  readonly reads: 'patches';
  readonly type: 'string';
  readonly source: { readonly kind: 'core'; readonly key: PatchFieldKey };
}

/** Tests whether other filters match the device. */
export interface InnerField extends FieldFacts {
  readonly reads: 'filter';
  readonly type: 'string';
  readonly source: { readonly kind: 'core'; readonly key: 'filter' };
  /** Null: the filters are unknown, so every id is accepted and no condition on them can be evaluated. */
  readonly inner: InnerFilters | null;
}

interface FieldFacts {
  readonly key: string;
  readonly label: string;
  readonly category: FieldCategory;
  readonly operators: readonly Operator[];
  readonly values: readonly string[] | null;
  readonly isUuid: boolean;
  readonly description: string | null;
}

/** What a key stands for (Contract: §4). */
export type CatalogEntry =
  | { readonly kind: 'field'; readonly field: FilterField }
  /** Organizations define the key with different types. */
  | { readonly kind: 'ambiguous'; readonly key: string; readonly label: string };

/**
 * Fields by case-sensitive key, in a Map so that `__proto__` is no key. {@link findEntry} also finds versions
 * of titles, which are too many to list.
 */
export type FieldCatalog = ReadonlyMap<string, CatalogEntry>;

const CORE_ENTRIES: readonly (readonly [string, CatalogEntry])[] = (
  Object.entries(CORE_FIELDS) as [CoreFieldKey, CoreField][]
).map(([key, core]) => [key, { kind: 'field', field: toCoreField(key, core) }]);

/** The core fields only. */
export const CORE_CATALOG: FieldCatalog = new Map(CORE_ENTRIES);

/** Core fields come first, then custom ones. */
export function buildCatalog(customFields: ReadonlyMap<string, ResolvedCustomField>): FieldCatalog {
  if (customFields.size === 0) return CORE_CATALOG;
  return new Map([
    ...CORE_ENTRIES,
    ...[...customFields].map(([key, resolved]) => [`custom.${key}`, toCustomEntry(resolved)] as const),
  ]);
}

/** Conditions can name the `inner` filters and no others. */
export function withInnerFilters(catalog: FieldCatalog, inner: InnerFilters): FieldCatalog {
  const entry = catalog.get('filter');
  if (entry?.kind !== 'field' || entry.field.reads !== 'filter') return catalog;
  return new Map([...catalog, ['filter', { ...entry, field: { ...entry.field, inner } }]]);
}

/** Also finds keys that are not listed, such as the versions of a title. */
export function findEntry(catalog: FieldCatalog, key: string): CatalogEntry | undefined {
  const listed = catalog.get(key);
  if (listed !== undefined) return listed;
  const title = titleOfKey(key);
  return title === null ? undefined : { kind: 'field', field: { ...VERSIONS_FACTS, key, source: title } };
}

const VERSIONS_FACTS = {
  reads: 'versions',
  type: 'version',
  label: 'Software Version',
  category: 'software',
  operators: OPERATORS_BY_TYPE.version,
  values: null,
  isUuid: false,
  description:
    'The installed versions of the title with this name, in any case. True when any matches; the negative operators when none does.',
} as const satisfies Omit<VersionsField, 'key' | 'source'>;

/** In lists of fields, this entry stands for the versions of any title. */
export const ANY_TITLE = {
  kind: 'field',
  field: {
    ...VERSIONS_FACTS,
    key: keyOfTitle('<name>'),
    source: { kind: 'title', name: '<name>', folded: '<name>' },
  },
} as const satisfies CatalogEntry;

/** The entries to list, with {@link ANY_TITLE} among the software fields. */
export function listEntries(catalog: FieldCatalog): readonly CatalogEntry[] {
  return [...catalog].flatMap(([key, entry]) =>
    key === 'software.notInstalled' ? [entry, ANY_TITLE] : [entry],
  );
}

/** The field to show to people. `os.version` holds a `versionKey`, so `osVersion` is shown instead. */
export function shownField(field: ValueField): ValueField {
  const key = field.type === 'version' ? TEXTS_OF_VERSIONS.get(field.key) : undefined;
  const entry = key === undefined ? undefined : CORE_CATALOG.get(key);
  return entry?.kind === 'field' && entry.field.reads === 'value' ? entry.field : field;
}

const TEXTS_OF_VERSIONS: ReadonlyMap<string, CoreFieldKey> = new Map([
  ['agent.version', 'agentVersion'],
  ['os.version', 'osVersion'],
]);

function toCoreField(key: CoreFieldKey, core: CoreField): FilterField {
  const facts = {
    key,
    label: core.label,
    category: core.category,
    operators: core.operators ?? OPERATORS_BY_TYPE[core.type],
    values: core.values ?? null,
    isUuid: core.isUuid ?? false,
    description: core.description ?? null,
  };
  if (isListFieldKey(key)) {
    return { ...facts, reads: 'list', type: CORE_FIELDS[key].type, source: { kind: 'core', key } };
  }
  if (isRowsFieldKey(key)) {
    return { ...facts, reads: 'rows', type: CORE_FIELDS[key].type, source: { kind: 'core', key } };
  }
  if (isSoftwareFieldKey(key)) {
    return { ...facts, reads: 'software', type: CORE_FIELDS[key].type, source: { kind: 'core', key } };
  }
  if (isPatchFieldKey(key)) {
    return { ...facts, reads: 'patches', type: CORE_FIELDS[key].type, source: { kind: 'core', key } };
  }
  if (key === 'filter') {
    return { ...facts, reads: 'filter', type: 'string', source: { kind: 'core', key }, inner: null };
  }
  return { ...facts, reads: 'value', type: CORE_FIELDS[key].type, source: { kind: 'core', key } };
}

/** The field `custom.<key>`. */
export function toCustomEntry(resolved: ResolvedCustomField): CatalogEntry {
  if (resolved.kind === 'ambiguous') {
    return { kind: 'ambiguous', key: `custom.${resolved.key}`, label: resolved.label };
  }
  const { field } = resolved;
  const type = FIELD_TYPE_OF_CUSTOM[field.type];
  const choices = [...new Set(field.variants.flatMap((variant) => variant.choices))];
  return {
    kind: 'field',
    field: {
      key: `custom.${field.key}`,
      label: field.label,
      category: 'custom',
      type,
      operators: OPERATORS_BY_TYPE[type],
      values: type === 'enum' ? choices : null,
      isUuid: false,
      description: null,
      reads: 'value',
      source: { kind: 'custom', field },
    },
  };
}
