/**
 * The only statements that run exempt from row-level security. Each is put together here, from a scope that becomes
 * its predicate and from a compiled filter. The reader takes nothing else, and no other file can make one, so a
 * read on this path cannot be written without a scope.
 */
import { LRUCache } from 'lru-cache';
import type { PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import type { AlertQuery, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { NamedKind } from '#application/ports/fleet/names-in-reach.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ExportColumn } from '#domain/export/export-column.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { SeenSince } from '#domain/fleet/fleet-summary.ts';
import type { DeviceId, FilterId, OrgId } from '#domain/ids.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';
import type { CompiledFilter } from './conditions/filter-to-sql.ts';
import { type TitleLookups, titleStatement } from './conditions/software.ts';
import { type DevicePageShape, type DevicePlace, devicePageQuery } from './devices/device-page.ts';
import { exportQuery } from './devices/export-query.ts';
import { deviceById, matchingDevices, type PreviewShape, previewQuery } from './devices/preview-query.ts';
import { type CompiledExplanation, explainQuery } from './explain/explanation-to-sql.ts';
import { type CountedDevices, completionValues, rareSoftware, sampledDevices } from './fleet/completion.ts';
import { organizations, patches, patchValues, tallies, tallyValues } from './fleet/fleet-counts.ts';
import {
  alerts,
  alertValues,
  customFields,
  devicePresence,
  type FilterPlace,
  names,
  savedFilterHeads,
  savedFilterSizes,
  savedFilterSummaries,
  savedFiltersById,
  scripts,
  scriptValues,
  sites,
} from './fleet/fleet-lists.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import { searchScope } from './scope-condition.ts';
import { SEARCH_BOUNDS, type SearchBounds, searchBoundsSql } from './search/search-bounds.ts';
import {
  alikeForm,
  type ComparedTitles,
  SEARCHED_TABLES,
  type SearchPart,
  searchPart,
  similarTitles,
} from './search/search-part.ts';
import { type SearchTerms, searchValues } from './search/search-terms.ts';

/** Needed to make a statement, and never exported. */
const KEY = Symbol('scoped statement');

/** A statement that contains its scope. */
export class ScopedStatement {
  readonly #text: string;
  readonly #values: readonly unknown[];

  /** `private` guards it while types are checked, the key at run time. */
  private constructor(text: Sql, key: symbol, values: readonly unknown[] = []) {
    if (key !== KEY) throw new Error('scoped statements are made from a scope');
    this.#text = text;
    this.#values = Object.freeze([...values]);
    Object.freeze(this);
  }

  get text(): string {
    return this.#text;
  }

  /** The values of its parameters, in order; none of them affects the scope. */
  get values(): readonly unknown[] {
    return this.#values;
  }

  /** Whether the value is a statement that this class created. */
  static isGenuine(value: unknown): value is ScopedStatement {
    return typeof value === 'object' && value !== null && #text in value;
  }

  /**
   * Count and first devices: rows of (total, id, hostname, display name, OS type, status, last seen in epoch
   * milliseconds). If nothing matches, one row with a NULL id, or none.
   */
  static preview(
    scope: AccessScope,
    filter: CompiledFilter,
    limit: number,
    shape: PreviewShape,
  ): ScopedStatement {
    return new ScopedStatement(previewQuery(scope, filter, limit, shape), KEY);
  }

  /**
   * A page of devices: rows of (total or NULL, and what lists show, instants in epoch milliseconds); one row with a
   * NULL id if the page is empty, or none if nothing matches and the shape is `windowed`, which is for first pages.
   */
  static devicePage(
    scope: AccessScope,
    filter: CompiledFilter,
    place: DevicePlace,
    shape: DevicePageShape,
  ): ScopedStatement {
    return new ScopedStatement(devicePageQuery(scope, filter, place, shape), KEY);
  }

  /** The device with this id and the rows around it. */
  static device(scope: AccessScope, id: DeviceId): ScopedStatement {
    return new ScopedStatement(deviceById(scope), KEY, [id]);
  }

  /**
   * One row of all devices in scope, those that each of `explanation.counted` holds for (NULL: none), and then, if a
   * device is given, its id (NULL: it is not in scope), its keys, and the JSON of what it has.
   */
  static explain(
    scope: AccessScope,
    explanation: CompiledExplanation,
    deviceId: DeviceId | null,
  ): ScopedStatement {
    return new ScopedStatement(explainQuery(scope, explanation, deviceId), KEY);
  }

  /** Whether the device with this id matches: one row. */
  static matches(scope: AccessScope, filter: CompiledFilter, id: DeviceId): ScopedStatement {
    const matching = matchingDevices(scope, filter);
    return new ScopedStatement(sql`select exists(select ${matching} and d.id = $1::uuid) as matches`, KEY, [
      id,
    ]);
  }

  /** Declares the transaction's cursor over the ids of all matching devices. */
  static cursor(scope: AccessScope, filter: CompiledFilter): ScopedStatement {
    return new ScopedStatement(
      sql`declare ${CURSOR} no scroll cursor for select d.id ${matchingDevices(scope, filter)}`,
      KEY,
    );
  }

  /** Declares the transaction's cursor over all matching devices in the default order: rows of `exportQuery`. */
  static exportCursor(
    scope: AccessScope,
    filter: CompiledFilter,
    columns: readonly ExportColumn[],
  ): ScopedStatement {
    return new ScopedStatement(
      sql`declare ${CURSOR} no scroll cursor for ${exportQuery(scope, filter, columns)}`,
      KEY,
    );
  }

  /** The next rows of the transaction's cursor; none after the last. */
  static next(count: number): ScopedStatement {
    return new ScopedStatement(sql`fetch ${countLiteral(count, 1)} from ${CURSOR}`, KEY);
  }

  /**
   * The best `limit` of each category: rows of (category, id, and four texts of what was found, see
   * `SEARCHED_TABLES`). The text is a parameter, so that one plan serves every search in a scope; another, those whose
   * text could match across two.
   */
  static search(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    terms: SearchTerms,
    limit: number,
    bounds: SearchBounds = SEARCH_BOUNDS,
  ): ScopedStatement {
    if (categories.length === 0) throw new Error('a search needs at least one category');
    const key = JSON.stringify([scope, categories, limit, bounds, terms.mayCrossTexts]);
    const known = SEARCH_TEXTS.get(key);
    if (known !== undefined) return new ScopedStatement(known, KEY, searchValues(terms));
    const size = countLiteral(limit, 1);
    const largest = searchBoundsSql(bounds);
    const parts = categories.map((category) =>
      searchPart(SEARCHED_TABLES[category], searchScope(scope, category), size, largest, terms.mayCrossTexts),
    );
    const text = joinParts(parts);
    SEARCH_TEXTS.set(key, text);
    return new ScopedStatement(text, KEY, searchValues(terms));
  }

  /** The `limit` most similar of each category to a folded text that nothing contains: rows as of `search`. */
  static similar(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    folded: string,
    limit: number,
    compared: ComparedTitles,
  ): ScopedStatement {
    if (categories.length === 0) throw new Error('a search needs at least one category');
    const size = countLiteral(limit, 1);
    const parts = categories.map((category) =>
      similarTitles(SEARCHED_TABLES[category], searchScope(scope, category), size, compared),
    );
    return new ScopedStatement(joinParts(parts), KEY, [alikeForm(folded)]);
  }

  /** Rows of (value): what completes a text in the order of `CompletionSource`, as far as counted devices have it. */
  static completionValues(
    scope: AccessScope,
    source: ValueSource,
    typed: string,
    limit: number,
    counted: CountedDevices,
  ): ScopedStatement {
    return new ScopedStatement(completionValues(scope, source, typed, limit, counted), KEY);
  }

  /** Rows of (value): names of software that a device in scope has, looked up one by one. */
  static rareSoftware(scope: AccessScope, typed: string, limit: number): ScopedStatement {
    return new ScopedStatement(rareSoftware(scope, typed, limit), KEY);
  }

  /** One row of (sampled): how many devices of the scope are in the sample, counted up to `most`. */
  static sampledDevices(scope: AccessScope, most: number): ScopedStatement {
    return new ScopedStatement(sampledDevices(scope, most), KEY);
  }

  /** The saved filters with these ids, newest first. */
  static savedFilters(scope: AccessScope, ids: readonly FilterId[]): ScopedStatement {
    return new ScopedStatement(savedFiltersById(scope), KEY, [[...ids]]);
  }

  /** The next `count` saved filters in a list, newest first, without their conditions. */
  static savedFilterHeads(
    scope: AccessScope,
    { createdAt, id }: FilterPlace,
    count: number,
  ): ScopedStatement {
    return new ScopedStatement(savedFilterHeads(scope, count), KEY, [createdAt, id]);
  }

  /** All saved filters of an organization, without their conditions. */
  static savedFilterSummaries(scope: AccessScope, orgId: OrgId): ScopedStatement {
    return new ScopedStatement(savedFilterSummaries(scope), KEY, [orgId]);
  }

  /** How long the conditions of the saved filters with these ids are. */
  static savedFilterSizes(scope: AccessScope, ids: readonly FilterId[]): ScopedStatement {
    return new ScopedStatement(savedFilterSizes(scope), KEY, [[...ids]]);
  }

  /** Every custom field, with the organizations in the scope that it applies to. */
  static customFields(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(customFields(scope), KEY);
  }

  /** Every organization or site in the scope, with its name. */
  static names(scope: AccessScope, kind: NamedKind): ScopedStatement {
    return new ScopedStatement(names(scope, kind), KEY);
  }

  /** The sites of the organizations: rows of `ListedSite`. */
  static sites(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(sites(scope), KEY);
  }

  /** The next alerts of a list, newest first: rows of `AlertRow`. */
  static alerts(scope: AccessScope, query: AlertQuery): ScopedStatement {
    return new ScopedStatement(alerts(scope, query), KEY, alertValues(query));
  }

  /** A row if the device is in scope. */
  static devicePresence(scope: AccessScope, id: DeviceId): ScopedStatement {
    return new ScopedStatement(devicePresence(scope), KEY, [id]);
  }

  /** The next scripts of a list, by name: rows of `ScriptRow`. */
  static scripts(scope: AccessScope, query: ScriptQuery): ScopedStatement {
    return new ScopedStatement(scripts(scope, query), KEY, scriptValues(query));
  }

  /** The organizations with their partners and the numbers of their devices: rows of `ListedOrganization`. */
  static organizations(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(organizations(scope), KEY);
  }

  /** The next titles of patches, with counts of devices: rows of `ListedPatch`. */
  static patches(scope: AccessScope, query: PatchQuery): ScopedStatement {
    return new ScopedStatement(patches(scope, query), KEY, patchValues(query));
  }

  /** Devices and urgent alerts, counted by what they have in common: rows of `TallyRow`. */
  static tallies(scope: AccessScope, since: SeenSince): ScopedStatement {
    return new ScopedStatement(tallies(scope), KEY, tallyValues(since));
  }

  /** Resolves software names to the ids of titles that organizations in the scope have or had. */
  static titles(scope: AccessScope, lookups: TitleLookups): ScopedStatement {
    return new ScopedStatement(titleStatement(scope, lookups), KEY);
  }
}

Object.freeze(ScopedStatement);
Object.freeze(ScopedStatement.prototype);

const CURSOR = sql`matching_devices`;

/** In characters. */
const MAX_SEARCH_TEXTS = 16_000_000;

/**
 * The searches of the scopes that asked last, each by all that it is made from: of many organizations, putting one
 * together takes as long as a tenth of running it.
 */
const SEARCH_TEXTS = new LRUCache<string, Sql>({
  maxSize: MAX_SEARCH_TEXTS,
  sizeCalculation: (text, key) => text.length + key.length,
});

function joinParts(parts: readonly SearchPart[]): Sql {
  const found = parts.map((part) => part.found).join(', ') as Sql;
  const rows = parts.map((part) => part.rows).join(' union all ') as Sql;
  return sql`with recursive ${found} ${rows}`;
}
