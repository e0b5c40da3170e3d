/**
 * The saved filters that cover one organization, indexed by what they require of a device. Only short filters stay
 * compiled: an organization may have 64 MiB of conditions, and compiled conditions take ten times as much.
 */
import type { FilterHead } from '#application/ports/filters/saved-filter-store.ts';
import type { Device } from '#domain/device/device.ts';
import { type CustomFieldDefinition, resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, type FieldCatalog, withInnerFilters } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilters } from '#domain/filter/catalog/inner-filters.ts';
import { withUndefinedFields } from '#domain/filter/catalog/undefined-fields.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { countNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { type Candidate, CandidateIndex } from '#domain/filter/index/filter-index.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { err } from '#domain/result.ts';
import type { Steps } from '#domain/steps.ts';

export interface KnownFilter {
  readonly id: FilterId;
  /** Null if the filter is not kept compiled; the matcher then evaluates it. */
  readonly matches: DevicePredicate | null;
}

/** Limits for one compiled filter and for all of an organization, in UTF-16 code units of JSON. */
const MAX_KEPT_LENGTH = 16_384;
const MAX_KEPT_LENGTH_IN_ALL = 1_048_576;

/** The weight of an entry without its conditions, and of an empty index. */
const ENTRY_WEIGHT = 512;
const EMPTY_WEIGHT = 8_192;

export class IndexedFilters {
  readonly #catalog: FieldCatalog;
  readonly #index = new CandidateIndex<KnownFilter>();
  readonly #entries = new Map<FilterId, Entry>();
  #keptLength = 0;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(catalog: FieldCatalog) {
    this.#catalog = catalog;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** One unit is about ten bytes of memory. */
  get weight(): number {
    return EMPTY_WEIGHT + this.#entries.size * ENTRY_WEIGHT + this.#keptLength;
  }

  /** `states` come from `statesOf`, called with all filters of the organization and of its partner. */
  isCurrent({ id }: FilterHead, states: ReadonlyMap<FilterId, string>): boolean {
    return this.#entries.get(id)?.state === states.get(id);
  }

  /** Runs one load after the other, so two loads of the same filters do not mix. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const change = this.#lastChange.then(work);
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  *put(filter: SavedFilter, state: string, inner: InnerFilters): Steps<void> {
    const { id, conditionsJson } = filter;
    const parsed = yield* this.understand(filter, inner);
    this.#drop(id);
    if (parsed === null) {
      this.#entries.set(id, { state, candidate: null, keptLength: 0 });
      return;
    }
    const simplified = simplifyConditions(parsed);
    // The text of inner filters is not at hand, so their length is estimated from the nodes of `simplified`.
    const length = Math.max(
      conditionsJson.length,
      inner.size === 0 ? 0 : countNodes(simplified) * NODE_LENGTH,
    );
    const isKept = length <= MAX_KEPT_LENGTH && this.#keptLength + length <= MAX_KEPT_LENGTH_IN_ALL;
    const compiled = isKept ? compilePredicate(simplified, LEAVE_PATTERNS) : null;
    const matches = compiled?.ok ? compiled.value : null;
    const keptLength = matches === null ? 0 : length;
    this.#keptLength += keptLength;
    const candidate = this.#index.add({ id, matches }, simplified);
    this.#entries.set(id, { state, candidate, keptLength });
  }

  /** Null if a field no longer exists. */
  *understand(
    filter: Pick<SavedFilter, 'conditionsJson' | 'partnerId'>,
    inner: InnerFilters,
  ): Steps<ConditionGroup | null> {
    const conditions = JSON.parse(filter.conditionsJson);
    const catalog = withInnerFilters(
      filter.partnerId === null ? this.#catalog : withUndefinedFields(this.#catalog, conditions),
      inner,
    );
    const parsed = yield* parseConditionsInSteps(conditions, catalog);
    return parsed.ok ? parsed.value : null;
  }

  keepOnly(ids: ReadonlySet<FilterId>): void {
    for (const id of this.#entries.keys()) if (!ids.has(id)) this.#drop(id);
  }

  /** Returns every filter that matches the device, and maybe some that do not. */
  candidates(device: Device): readonly KnownFilter[] {
    return this.#index.find(device);
  }

  all(): readonly KnownFilter[] {
    return [...this.#entries.values()].flatMap(({ candidate }) => candidate?.item ?? []);
  }

  #drop(id: FilterId): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#keptLength -= entry.keptLength;
    if (entry.candidate !== null) this.#index.remove(entry.candidate);
  }
}

/** The length of a usual condition in JSON, in UTF-16 code units. */
const NODE_LENGTH = 64;

/** A filter's state is its revision and those of its inner filters. */
export function statesOf(heads: readonly FilterHead[]): ReadonlyMap<FilterId, string> {
  const byId = new Map(heads.map((head) => [head.id, head]));
  return new Map(
    heads.map(({ id }) => {
      const reached = new Set([id]);
      for (const each of reached) for (const named of byId.get(each)?.named ?? []) reached.add(named);
      const revisions = [...reached].map((each) => `${byId.get(each)?.version}.${byId.get(each)?.updatedAt}`);
      return [id, revisions.join()];
    }),
  );
}

interface Entry {
  readonly state: string;
  /** Null if the filter can no longer be evaluated. */
  readonly candidate: Candidate<KnownFilter> | null;
  readonly keptLength: number;
}

/** Leaves regular expressions to the matcher, because a database applies its own locale to them. */
const LEAVE_PATTERNS: TranslatePattern = () =>
  err({ kind: 'untranslatable', construct: 'expression', message: 'left to the matcher' });

/** In the unit of `IndexedFilters.weight`; about 80 MB. */
const MAX_WEIGHT = 8_388_608;

export class IndexedFiltersCache {
  /** Least recently used first. */
  readonly #byOrg = new Map<OrgId, { readonly definitions: string; readonly filters: IndexedFilters }>();

  of(orgId: OrgId, definitions: readonly CustomFieldDefinition[]): IndexedFilters {
    const text = JSON.stringify(definitions);
    const known = this.#byOrg.get(orgId);
    const current =
      known?.definitions === text
        ? known
        : {
            definitions: text,
            filters: new IndexedFilters(buildCatalog(resolveCustomFields(definitions))),
          };
    this.#byOrg.delete(orgId);
    this.#byOrg.set(orgId, current);
    return current.filters;
  }

  /** Evicts the least recently used organizations. Call it after adding filters. */
  trim(): void {
    let weight = 0;
    for (const { filters } of this.#byOrg.values()) weight += filters.weight;
    for (const [orgId, { filters }] of this.#byOrg) {
      if (weight <= MAX_WEIGHT) return;
      this.#byOrg.delete(orgId);
      weight -= filters.weight;
    }
  }
}
