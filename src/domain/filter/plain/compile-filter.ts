import {
  type CustomField,
  FIELD_TYPE_OF_CUSTOM,
  isFieldKey,
  type ResolvedCustomField,
} from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog, withInnerFilters } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterFault, refusedPattern } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { FilterIndex } from '#domain/filter/index/filter-index.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type PlainDevice, type PlainInstant, readInstant, readPlainDevice } from './read-plain-device.ts';

/** A custom field that devices of all organizations have. */
export interface PlainCustomField {
  /** Lower-case letters, digits and `_`, beginning with a letter; filters name it `custom.<key>`. */
  readonly key: string;
  readonly type: CustomFieldType;
  /** A dropdown needs at least one; other types ignore choices. */
  readonly choices?: readonly string[] | undefined;
}

/**
 * Caches one catalog per `customFields` array, so that thousands of filters share it. Throws a TypeError on
 * malformed or duplicate definitions.
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
  // Plain filters cannot name saved filters, because there are none.
  return withInnerFilters(buildCatalog(resolved), new Map());
}

/** A dropdown without choices could never have a valid value. */
function readChoices(key: string, choices: unknown): readonly string[] {
  const isList = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
  if (isList && choices.length > 0) return choices;
  throw new TypeError(`the choices of custom field ${key} must be strings in a list, at least one`);
}

export interface CompileFilterOptions {
  readonly customFields?: readonly PlainCustomField[];
  /** Without it, `matches` conditions are refused; see `fleetsift/postgres-regex`. */
  readonly translatePattern?: TranslatePattern;
}

/**
 * A predicate over devices.
 * @param at the instant for relative dates, such as `Date.now()`
 * @throws TypeError naming the member of the device that has a wrong type
 */
export interface CompiledFilter {
  (device: PlainDevice, at: PlainInstant): boolean;
  readonly conditions: ConditionGroup;
  readonly matches: DevicePredicate;
}

/**
 * Compiles JSON into a predicate over plain devices, without a service or database (Contract: §15), or returns up to
 * 100 faults, in order.
 */
export function compileFilter(
  json: unknown,
  { customFields = [], translatePattern = refuseEvery }: CompileFilterOptions = {},
): Result<CompiledFilter, readonly FilterFault[]> {
  const translate = once(translatePattern);
  const parsed = parseConditions(json, plainCatalog(customFields), (pattern) => {
    const translated = translate(pattern);
    return translated.ok ? null : refusedPattern(translated.error.message);
  });
  if (!parsed.ok) return parsed;
  const compiled = compilePredicate(parsed.value, translate);
  if (!compiled.ok) throw new Error('a regular expression was translated and then refused');
  const matches = compiled.value;
  const filter = (device: PlainDevice, at: PlainInstant) =>
    matches(readPlainDevice(device), readInstant(at, 'at'));
  return ok(Object.assign(filter, { conditions: parsed.value, matches }));
}

const refuseEvery: TranslatePattern = () =>
  err({
    kind: 'untranslatable',
    construct: 'regular expression',
    message: 'compileFilter was given no translatePattern. Pass the one of fleetsift/postgres-regex.',
  });

function once(translatePattern: TranslatePattern): TranslatePattern {
  const known = new Map<string, ReturnType<TranslatePattern>>();
  return (pattern) => {
    const translated = known.get(pattern) ?? translatePattern(pattern);
    known.set(pattern, translated);
    return translated;
  };
}

export interface FilterToIndex<Id> {
  readonly id: Id;
  readonly filter: CompiledFilter;
  /** Only devices of this organization match. */
  readonly orgId?: string | null | undefined;
}

/** Finds the filters that match a device; the set can change (Contract: §15). */
export interface IndexedFilters<Id> {
  readonly size: number;
  set(filter: FilterToIndex<Id>): void;
  delete(id: Id): boolean;
  /**
   * Ids of the matching filters, unordered. Asking each filter gives the same answer.
   * @param at the instant for relative dates, such as `Date.now()`
   * @throws TypeError naming the member of the device that has a wrong type
   */
  matching(device: PlainDevice, at: PlainInstant): readonly Id[];
}

/** A later filter replaces an earlier one with the same id. */
export function indexFilters<Id>(filters: Iterable<FilterToIndex<Id>>): IndexedFilters<Id> {
  const index = new FilterIndex<Id>(() => {
    throw new Error('filters come compiled here, with their regular expressions');
  });
  const indexed: IndexedFilters<Id> = {
    get size() {
      return index.size;
    },
    set: ({ id, filter, orgId }) => index.setCompiled(id, filter.conditions, filter.matches, toOrgId(orgId)),
    delete: (id) => index.delete(id),
    matching: (device, at) => index.matching(readPlainDevice(device), readInstant(at, 'at')),
  };
  for (const filter of filters) indexed.set(filter);
  return indexed;
}

function toOrgId(orgId: string | null | undefined): OrgId | null {
  return orgId === null || orgId === undefined ? null : (parseId<'organization'>(orgId) ?? (orgId as OrgId));
}
