/**
 * Reads inner filters: the saved filters that conditions name. Each is understood in the organizations that
 * it covers (Contract: §18).
 */
import { inSlices } from '#application/in-slices.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { OrganizationsOfPartner } from '#application/ports/fleet/organization-directory.ts';
import { type AccessScope, narrowTo, reachableOrgIds } from '#domain/access/access-scope.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import {
  buildCatalog,
  CORE_CATALOG,
  type FieldCatalog,
  withInnerFilters,
} from '#domain/filter/catalog/field-catalog.ts';
import { type InnerFilter, type InnerFilters, namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { withUndefinedFields } from '#domain/filter/catalog/undefined-fields.ts';
import { parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { ownerOfFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** The maximum length of inner filters in one evaluation, in UTF-16 code units of JSON. */
const MAX_INNER_LENGTH = 8 * 1024 * 1024;

export interface InnerFilterDeps {
  readonly filters: Pick<SavedFilterReader, 'withInner'>;
  readonly customFields: CustomFieldSource;
  readonly organizationsOf: OrganizationsOfPartner;
}

/**
 * Returns those of `named` that conditions of this owner may name:
 * - An organization: its own filters and its partner's.
 * - A partner: only its own.
 * - No owner (unsaved conditions): all filters in reach.
 */
export async function readInnerFilters(
  deps: InnerFilterDeps,
  scope: AccessScope,
  named: readonly FilterId[],
  owner: Owner | null,
): Promise<InnerFilters> {
  const reading = await readNamed(deps, scope, named);
  return reading === null ? new Map(named.map((id) => [id, err(TOO_LONG)])) : reading.all(named, owner);
}

/** Yields each filter with its inner filters. Reads the inner filters of many filters at once. */
export async function* withInnerFiltersOf(
  deps: InnerFilterDeps,
  scope: AccessScope,
  filters: AsyncIterable<SavedFilter>,
): AsyncIterable<readonly [SavedFilter, InnerFilters]> {
  let waiting: (readonly [SavedFilter, readonly FilterId[]])[] = [];
  let length = 0;
  for await (const filter of filters) {
    const named = namedIn(filter.conditionsJson);
    if (named.length === 0) {
      yield [filter, new Map()];
      continue;
    }
    waiting.push([filter, named]);
    length += filter.conditionsJson.length;
    if (length < READ_TOGETHER) continue;
    yield* readTogether(deps, scope, waiting);
    waiting = [];
    length = 0;
  }
  yield* readTogether(deps, scope, waiting);
}

/** The size of the filters that are read together, in UTF-16 code units of JSON. */
const READ_TOGETHER = 1024 * 1024;

async function* readTogether(
  deps: InnerFilterDeps,
  scope: AccessScope,
  filters: readonly (readonly [SavedFilter, readonly FilterId[]])[],
): AsyncIterable<readonly [SavedFilter, InnerFilters]> {
  if (filters.length === 0) return;
  const reading = await readNamed(deps, scope, [...new Set(filters.flatMap(([, named]) => named))]);
  for (const [filter, named] of filters) {
    const owner = ownerOfFilter(filter);
    // If all inner filters together are too long, `reading` is null, and each filter is read separately.
    const inner = reading?.all(named, owner) ?? readInnerFilters(deps, scope, named, owner);
    yield [filter, await inner];
  }
}

/** Null if the inner filters are too long. */
async function readNamed(
  deps: InnerFilterDeps,
  scope: AccessScope,
  named: readonly FilterId[],
): Promise<InnerFilterReading | null> {
  const found = new Map<FilterId, SavedFilter>();
  let length = 0;
  for await (const filter of deps.filters.withInner(scope, named)) {
    found.set(filter.id, filter);
    length += filter.conditionsJson.length;
    if (length > MAX_INNER_LENGTH) return null;
  }
  return new InnerFilterReading(deps, scope, found);
}

const TOO_LONG = 'names filters with more than 8 MiB of conditions together';

class InnerFilterReading {
  readonly #deps: InnerFilterDeps;
  readonly #scope: AccessScope;
  readonly #found: ReadonlyMap<FilterId, SavedFilter>;
  readonly #understood = new Map<FilterId, Result<InnerFilter, string>>();
  readonly #catalogs = new Map<string, FieldCatalog>();

  constructor(deps: InnerFilterDeps, scope: AccessScope, found: ReadonlyMap<FilterId, SavedFilter>) {
    this.#deps = deps;
    this.#scope = scope;
    this.#found = found;
  }

  async all(ids: readonly FilterId[], owner: Owner | null): Promise<InnerFilters> {
    const inner = new Map<string, Result<InnerFilter, string>>();
    for (const id of ids) {
      const filter = this.#found.get(id);
      if (filter === undefined || !(await this.#mayName(owner, filter))) continue;
      inner.set(id, await this.#understand(filter));
    }
    return inner;
  }

  async #mayName(owner: Owner | null, { orgId, partnerId }: SavedFilter): Promise<boolean> {
    if (owner === null) return true;
    if (owner.kind === 'partner') return partnerId === owner.partnerId;
    if (partnerId === null) return orgId === owner.orgId;
    // Only the system scope reaches several partners, so the partner is compared only there.
    return this.#scope.kind !== 'system' || (await this.#orgIdsOf({ orgId, partnerId })).has(owner.orgId);
  }

  async #understand(filter: SavedFilter): Promise<Result<InnerFilter, string>> {
    const known = this.#understood.get(filter.id);
    if (known !== undefined) return known;
    // Until the filter is parsed, its entry is this error, so a cycle ends here.
    this.#understood.set(filter.id, err('names a filter that names itself'));
    const understood = await this.#parse(filter);
    this.#understood.set(filter.id, understood);
    return understood;
  }

  async #parse(filter: SavedFilter): Promise<Result<InnerFilter, string>> {
    const json: unknown = JSON.parse(filter.conditionsJson);
    const named = namedIn(filter.conditionsJson);
    const inner = named.length === 0 ? null : await this.all(named, ownerOfFilter(filter));
    const withInner = (catalog: FieldCatalog) =>
      inner === null ? catalog : withInnerFilters(catalog, inner);
    const core = await inSlices(parseConditionsInSteps(json, withInner(CORE_CATALOG)));
    const parsed = core.ok
      ? core
      : await inSlices(parseConditionsInSteps(json, withInner(await this.#catalogOf(filter, json))));
    if (!parsed.ok) {
      return err(`names a filter that cannot be evaluated as it is: ${parsed.error[0]?.message}`);
    }
    return ok({ id: filter.id, orgIds: await this.#coverage(filter), conditions: parsed.value });
  }

  /** The catalog has the custom fields of the organizations that the filter covers. */
  async #catalogOf(filter: SavedFilter, conditions: unknown): Promise<FieldCatalog> {
    const { orgId, partnerId } = filter;
    const owner = orgId ?? partnerId ?? '';
    const scope = orgId === null ? await this.#scopeOfPartner(filter) : narrowTo(this.#scope, orgId);
    const catalog =
      this.#catalogs.get(owner) ?? buildCatalog(resolveCustomFields(await this.#deps.customFields(scope)));
    this.#catalogs.set(owner, catalog);
    const isPart = partnerId !== null && !(scope.kind === 'partner' && scope.isWhole);
    return isPart ? withUndefinedFields(catalog, conditions) : catalog;
  }

  async #scopeOfPartner(filter: SavedFilter): Promise<AccessScope> {
    const { partnerId } = filter;
    if (this.#scope.kind !== 'system' || partnerId === null) return this.#scope;
    return { kind: 'partner', partnerId, orgIds: [...(await this.#orgIdsOf(filter))], isWhole: true };
  }

  /** Null if the filter covers the whole scope. */
  async #coverage(filter: SavedFilter): Promise<ReadonlySet<OrgId> | null> {
    const { orgId } = filter;
    if (orgId === null) return this.#scope.kind === 'system' ? this.#orgIdsOf(filter) : null;
    const reached = reachableOrgIds(this.#scope);
    return reached?.length === 1 && reached[0] === orgId ? null : new Set([orgId]);
  }

  async #orgIdsOf({ partnerId }: Pick<SavedFilter, 'orgId' | 'partnerId'>): Promise<ReadonlySet<OrgId>> {
    return new Set(partnerId === null ? [] : await this.#deps.organizationsOf(partnerId));
  }
}
