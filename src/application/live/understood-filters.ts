/** The watched filters of a partner, each parsed once, and again when it or its custom fields change. */
import { readInnerFilters } from '#application/filters/inner-filters.ts';
import { inSlices } from '#application/in-slices.ts';
import type {
  FilterReads,
  MembershipEvaluation,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ownerIdOf } from '#domain/access/ownership.ts';
import { type CustomFieldDefinition, resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import {
  buildCatalog,
  CORE_CATALOG,
  type FieldCatalog,
  withInnerFilters,
} from '#domain/filter/catalog/field-catalog.ts';
import { type InnerFilters, namedIn } from '#domain/filter/catalog/inner-filters.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { eachCriterion } from '#domain/filter/conditions/expand-inner.ts';
import { parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compileNextChange, type NextChange } from '#domain/filter/evaluate/compile-next-change.ts';
import {
  compilePredicate,
  type DevicePredicate,
  type TranslatePattern,
} from '#domain/filter/evaluate/compile-predicate.ts';
import { shortestSilence } from '#domain/filter/evaluate/shortest-silence.ts';
import { type Candidate, CandidateIndex } from '#domain/filter/index/filter-index.ts';
import { ownerOfFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId, PartnerId } from '#domain/ids.ts';

export interface LiveFilter {
  readonly filter: SavedFilter;
  readonly matches: DevicePredicate;
  /** Null if time alone cannot change a match. */
  readonly nextChange: NextChange | null;
  readonly fields: readonly string[];
  readonly silence: number | null;
}

export interface Understood {
  readonly understoodAs: string;
  /** Null if the filter cannot be evaluated. */
  readonly live: LiveFilter | null;
}

interface Kept extends Understood {
  readonly filter: SavedFilter;
  readonly readsCustomFields: boolean;
  readonly candidate: Candidate<LiveFilter> | null;
}

/** How filters' custom fields and inner filters are read. */
export type FilterReading = Pick<MembershipEvaluation, 'definitions' | 'withInner' | 'orgIds'>;

export class UnderstoodFilters {
  readonly #translatePattern: TranslatePattern;
  readonly #kept = new Map<FilterId, Kept>();
  readonly #byOwner = new Map<OrgId | PartnerId, CandidateIndex<LiveFilter>>();

  constructor(translatePattern: TranslatePattern) {
    this.#translatePattern = translatePattern;
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** The index of the owner's filters that can be evaluated. If there are none, it is null or empty. */
  candidates(owner: OrgId | PartnerId): Pick<CandidateIndex<LiveFilter>, 'find'> | null {
    return this.#byOwner.get(owner) ?? null;
  }

  live(id: FilterId): LiveFilter | null {
    return this.#kept.get(id)?.live ?? null;
  }

  understood(id: FilterId): Understood {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new Error(`filter ${id} is not watched`);
    return kept;
  }

  /** Returns what the filters of each organization read, without filters that cannot be evaluated. */
  reads(orgIds: readonly OrgId[]): ReadonlyMap<OrgId, FilterReads> {
    const joined = new Map<OrgId, { readonly fields: Set<string>; silence: number | null }>();
    for (const { filter, live } of this.#kept.values()) {
      if (live === null) continue;
      for (const orgId of filter.orgId === null ? orgIds : [filter.orgId]) {
        const reads = joined.get(orgId) ?? { fields: new Set<string>(), silence: null };
        joined.set(orgId, reads);
        for (const key of live.fields) reads.fields.add(key);
        if (live.silence !== null) reads.silence = Math.min(reads.silence ?? Infinity, live.silence);
      }
    }
    return joined;
  }

  /** Parses new and changed filters, and drops those that are no longer watched. */
  async update(watched: readonly WatchedFilter[], evaluation: FilterReading): Promise<void> {
    const ids = new Set(watched.map(({ filter }) => filter.id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#drop(id);
    const read = new Map<OrgId | PartnerId, Definitions>();
    const definitionsOf = async (filter: SavedFilter): Promise<Definitions> => {
      const definitions =
        read.get(keyOf(filter)) ?? resolve(await evaluation.definitions(ownerOfFilter(filter)));
      read.set(keyOf(filter), definitions);
      return definitions;
    };
    for (const { filter } of watched) {
      const kept = this.#kept.get(filter.id);
      const inner = await readNamed(evaluation, filter);
      if (kept !== undefined && isSame(kept.filter, filter)) {
        if (!kept.readsCustomFields) continue;
        const { text } = await definitionsOf(filter);
        if (kept.understoodAs === understoodBy(filter, inner, text)) continue;
      }
      this.#drop(filter.id);
      await this.#keep(filter, inner, definitionsOf);
    }
  }

  async #keep(
    filter: SavedFilter,
    inner: Named,
    definitionsOf: (filter: SavedFilter) => Promise<Definitions>,
  ): Promise<void> {
    const json: unknown = JSON.parse(filter.conditionsJson);
    const parse = (catalog: FieldCatalog) =>
      inSlices(parseConditionsInSteps(json, withInnerFilters(catalog, inner.filters), () => null));
    const core = await parse(CORE_CATALOG);
    // Inner filters may read custom fields.
    const readsCustomFields = !core.ok || inner.filters.size > 0;
    const { catalog, text } = readsCustomFields ? await definitionsOf(filter) : CORE;
    const parsed = core.ok ? core : await parse(catalog);
    const understoodAs = understoodBy(filter, inner, text);
    const matches = parsed.ok ? compilePredicate(parsed.value, this.#translatePattern) : parsed;
    const kept = { filter, understoodAs, readsCustomFields };
    if (!parsed.ok || !matches.ok) {
      this.#kept.set(filter.id, { ...kept, live: null, candidate: null });
      return;
    }
    const conditions = simplifyConditions(parsed.value);
    const live: LiveFilter = {
      filter,
      matches: matches.value,
      nextChange: compileNextChange(parsed.value, matches.value),
      fields: fieldsRead(conditions),
      silence: shortestSilence(conditions),
    };
    const index = this.#byOwner.get(keyOf(filter)) ?? new CandidateIndex();
    this.#byOwner.set(keyOf(filter), index);
    this.#kept.set(filter.id, { ...kept, live, candidate: index.add(live, conditions) });
  }

  #drop(id: FilterId): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#kept.delete(id);
    if (kept.candidate !== null) this.#byOwner.get(keyOf(kept.filter))?.remove(kept.candidate);
  }
}

interface Definitions {
  readonly catalog: typeof CORE_CATALOG;
  /** Equal definitions have equal texts, so a different text means a change. */
  readonly text: string;
}

const CORE: Definitions = { catalog: CORE_CATALOG, text: '' };

function resolve(definitions: readonly CustomFieldDefinition[]): Definitions {
  const text = definitions
    .map(({ key, type, choices, owner, orgIds }) =>
      JSON.stringify([key, type, choices, ...(owner === 'organization' ? orgIds : [])]),
    )
    .join();
  return { catalog: buildCatalog(resolveCustomFields(definitions)), text };
}

/** The filters that a filter names, and the revisions of all inner filters. */
interface Named {
  readonly filters: InnerFilters;
  readonly revisions: string;
}

async function readNamed(evaluation: FilterReading, filter: SavedFilter): Promise<Named> {
  const named = namedIn(filter.conditionsJson);
  if (named.length === 0) return { filters: new Map(), revisions: '' };
  const owner = ownerOfFilter(filter);
  const { orgIds } = evaluation;
  const scope: AccessScope = owner.kind === 'organization' ? owner : { ...owner, orgIds, isWhole: true };
  const revisions: string[] = [];
  async function* withInner(...[reach, ids]: Parameters<FilterReading['withInner']>) {
    for await (const each of evaluation.withInner(reach, ids)) {
      revisions.push(`${each.id}.${understoodVersion(each)}`);
      yield each;
    }
  }
  const deps = {
    filters: { withInner },
    customFields: () => evaluation.definitions(owner),
    organizationsOf: async () => orgIds,
  };
  return { filters: await readInnerFilters(deps, scope, named, owner), revisions: revisions.sort().join('') };
}

function understoodBy(filter: SavedFilter, inner: Named, text: string): string {
  return `${understoodVersion(filter)}${inner.revisions}${text}`;
}

function fieldsRead(conditions: Node<Criterion>): readonly string[] {
  const keys = new Set<string>();
  eachCriterion(
    conditions,
    (node) => node,
    ({ field }) => keys.add(field.key),
  );
  return [...keys];
}

function keyOf(filter: SavedFilter): OrgId | PartnerId {
  return ownerIdOf(ownerOfFilter(filter));
}

function understoodVersion({ version, updatedAt }: SavedFilter): string {
  return `${version}.${updatedAt} `;
}

function isSame(one: SavedFilter, other: SavedFilter): boolean {
  return understoodVersion(one) === understoodVersion(other) && one.conditionsJson === other.conditionsJson;
}
