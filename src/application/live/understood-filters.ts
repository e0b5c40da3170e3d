/** The watched filters of a partner, each understood once and kept until it or its custom fields change. */
import { inSlices } from '#application/in-slices.ts';
import type { FilterReads, OrganizationFilter, WatchedFilter } from '#application/ports/live/memberships.ts';
import { type CustomFieldDefinition, resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog, CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { fieldsUsed } from '#domain/filter/conditions/fold-conditions.ts';
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
import type { FilterId, OrgId } from '#domain/ids.ts';

/** A filter that can be evaluated. */
export interface LiveFilter {
  readonly filter: OrganizationFilter;
  readonly matches: DevicePredicate;
  /** Null if time changes nothing. */
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
  readonly filter: OrganizationFilter;
  readonly readsCustomFields: boolean;
  readonly candidate: Candidate<LiveFilter> | null;
}

/** Reads the definitions that apply in the organization. */
export type ReadDefinitions = (orgId: OrgId) => Promise<readonly CustomFieldDefinition[]>;

export class UnderstoodFilters {
  readonly #translatePattern: TranslatePattern;
  readonly #kept = new Map<FilterId, Kept>();
  readonly #byOrg = new Map<OrgId, CandidateIndex<LiveFilter>>();
  /** Null after a change. */
  #reads: ReadonlyMap<OrgId, FilterReads> | null = null;

  constructor(translatePattern: TranslatePattern) {
    this.#translatePattern = translatePattern;
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  /** Filters of the organization that can be evaluated and may match the device. */
  candidates(orgId: OrgId): CandidateIndex<LiveFilter> | null {
    return this.#byOrg.get(orgId) ?? null;
  }

  live(id: FilterId): LiveFilter | null {
    return this.#kept.get(id)?.live ?? null;
  }

  understood(id: FilterId): Understood {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new Error(`filter ${id} is not watched`);
    return kept;
  }

  /** What the filters of each organization read that can be evaluated. */
  reads(): ReadonlyMap<OrgId, FilterReads> {
    this.#reads ??= this.#joinReads();
    return this.#reads;
  }

  #joinReads(): ReadonlyMap<OrgId, FilterReads> {
    const joined = new Map<OrgId, { readonly fields: Set<string>; silence: number | null }>();
    for (const { filter, live } of this.#kept.values()) {
      if (live === null) continue;
      const reads = joined.get(filter.orgId) ?? { fields: new Set<string>(), silence: null };
      joined.set(filter.orgId, reads);
      for (const key of live.fields) reads.fields.add(key);
      if (live.silence !== null) reads.silence = Math.min(reads.silence ?? Infinity, live.silence);
    }
    return joined;
  }

  /** Understands what is new or has changed, and drops what is no longer watched. */
  async update(watched: readonly WatchedFilter[], readDefinitions: ReadDefinitions): Promise<void> {
    const ids = new Set(watched.map(({ filter }) => filter.id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#drop(id);
    const read = new Map<OrgId, Definitions>();
    const definitionsOf = async (orgId: OrgId): Promise<Definitions> => {
      const definitions = read.get(orgId) ?? resolve(await readDefinitions(orgId));
      read.set(orgId, definitions);
      return definitions;
    };
    for (const { filter } of watched) {
      const kept = this.#kept.get(filter.id);
      if (kept !== undefined && isSame(kept.filter, filter)) {
        if (!kept.readsCustomFields) continue;
        const { text } = await definitionsOf(filter.orgId);
        if (kept.understoodAs === `${understoodVersion(filter)}${text}`) continue;
      }
      this.#drop(filter.id);
      await this.#keep(filter, definitionsOf);
    }
  }

  async #keep(
    filter: OrganizationFilter,
    definitionsOf: (orgId: OrgId) => Promise<Definitions>,
  ): Promise<void> {
    this.#reads = null;
    const json: unknown = JSON.parse(filter.conditionsJson);
    const core = await inSlices(parseConditionsInSteps(json, CORE_CATALOG, () => null));
    const { catalog, text } = core.ok ? CORE : await definitionsOf(filter.orgId);
    const parsed = core.ok ? core : await inSlices(parseConditionsInSteps(json, catalog, () => null));
    const understoodAs = `${understoodVersion(filter)}${text}`;
    const matches = parsed.ok ? compilePredicate(parsed.value, this.#translatePattern) : parsed;
    const kept = { filter, understoodAs, readsCustomFields: !core.ok };
    if (!parsed.ok || !matches.ok) {
      this.#kept.set(filter.id, { ...kept, live: null, candidate: null });
      return;
    }
    const conditions = simplifyConditions(parsed.value);
    const live: LiveFilter = {
      filter,
      matches: matches.value,
      nextChange: compileNextChange(parsed.value, matches.value),
      fields: fieldsUsed(conditions),
      silence: shortestSilence(conditions),
    };
    const index = this.#byOrg.get(filter.orgId) ?? new CandidateIndex();
    this.#byOrg.set(filter.orgId, index);
    this.#kept.set(filter.id, { ...kept, live, candidate: index.add(live, conditions) });
  }

  #drop(id: FilterId): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#reads = null;
    this.#kept.delete(id);
    if (kept.candidate !== null) this.#byOrg.get(kept.filter.orgId)?.remove(kept.candidate);
  }
}

interface Definitions {
  readonly catalog: typeof CORE_CATALOG;
  /** Equal for equal definitions. */
  readonly text: string;
}

const CORE: Definitions = { catalog: CORE_CATALOG, text: '' };

function resolve(definitions: readonly CustomFieldDefinition[]): Definitions {
  const text = definitions.map(({ key, type, choices }) => JSON.stringify([key, type, choices])).join();
  return { catalog: buildCatalog(resolveCustomFields(definitions)), text };
}

function understoodVersion({ version, updatedAt }: OrganizationFilter): string {
  return `${version}.${updatedAt} `;
}

function isSame(one: OrganizationFilter, other: OrganizationFilter): boolean {
  return understoodVersion(one) === understoodVersion(other) && one.conditionsJson === other.conditionsJson;
}
