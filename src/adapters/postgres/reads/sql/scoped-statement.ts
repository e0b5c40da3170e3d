/**
 * The only statements that run exempt from row-level security. Each is put together here, from a scope that becomes
 * its predicate and from a compiled filter. The reader takes nothing else, and no other file can make one, so a
 * read on this path cannot be written without a scope.
 */
import type { NamedKind } from '#application/ports/fleet/names-in-reach.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete-filter-text.ts';
import type { FilterId } from '#domain/ids.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import { type CountedDevices, completionValues, rareSoftware, sampledDevices } from './completion.ts';
import type { CompiledFilter } from './filter-to-sql.ts';
import { countLiteral, type Sql, sql } from './literal.ts';
import { names } from './names.ts';
import { matchingDevices, type PreviewShape, previewQuery } from './preview-query.ts';
import { searchScope } from './scope-condition.ts';
import { firstLook } from './search/first-look.ts';
import { inTurn } from './search/in-turn.ts';
import { SEARCH_BOUNDS, type SearchBounds, searchBoundsSql } from './search/search-bounds.ts';
import type { SearchPart } from './search/search-part.ts';
import { SEARCHED_TABLES } from './search/search-tables.ts';
import { type SearchStep, type SearchTerms, searchValues } from './search/search-terms.ts';
import { alikeForm, similarTitles } from './search/similar-titles.ts';
import { type TitleLookups, titleStatement } from './software.ts';
import { customFields, type FilterPlace, savedFilterHeads, savedFiltersById } from './stored-filters.ts';

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
   * milliseconds); one row with a NULL id if nothing matches.
   */
  static preview(
    scope: AccessScope,
    filter: CompiledFilter,
    limit: number,
    shape: PreviewShape,
  ): ScopedStatement {
    return new ScopedStatement(previewQuery(scope, filter, limit, shape), KEY);
  }

  /** Declares the transaction's cursor over the ids of all matching devices. */
  static cursor(scope: AccessScope, filter: CompiledFilter): ScopedStatement {
    return new ScopedStatement(
      sql`declare ${CURSOR} no scroll cursor for select d.id ${matchingDevices(scope, filter)}`,
      KEY,
    );
  }

  /** The next rows of (id) of the transaction's cursor; none after the last. */
  static next(count: number): ScopedStatement {
    return new ScopedStatement(sql`fetch ${countLiteral(count, 1)} from ${CURSOR}`, KEY);
  }

  /**
   * The best `limit` of each category: rows of (category, id, and four texts of what was found, see
   * `SEARCHED_TABLES`). At the first look, a row without an id says that its category has to be searched in turn.
   * The text is a parameter, so that one plan serves every search in a scope.
   */
  static search(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    terms: SearchTerms,
    limit: number,
    step: SearchStep,
    bounds: SearchBounds = SEARCH_BOUNDS,
  ): ScopedStatement {
    if (categories.length === 0) throw new Error('a search needs at least one category');
    const size = countLiteral(limit, 1);
    const largest = searchBoundsSql(bounds);
    const toPart = step === 'first look' ? firstLook : inTurn;
    const parts = categories.map((category) =>
      toPart(SEARCHED_TABLES[category], searchScope(scope, category), size, largest),
    );
    return new ScopedStatement(joinParts(parts), KEY, searchValues(terms, step));
  }

  /** The `limit` most similar of each category to a folded text that nothing contains: rows as of `search`. */
  static similar(
    scope: AccessScope,
    categories: readonly StoredCategory[],
    folded: string,
    limit: number,
  ): ScopedStatement {
    if (categories.length === 0) throw new Error('a search needs at least one category');
    const size = countLiteral(limit, 1);
    const parts = categories.map((category) =>
      similarTitles(SEARCHED_TABLES[category], searchScope(scope, category), size),
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

  /** Every custom field, with the organizations in the scope that it applies to. */
  static customFields(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(customFields(scope), KEY);
  }

  /** Every organization or site in the scope, with its name. */
  static names(scope: AccessScope, kind: NamedKind): ScopedStatement {
    return new ScopedStatement(names(scope, kind), KEY);
  }

  /** Resolves software names to title ids. Titles belong to no tenant; only their installations do. */
  static titles(lookups: TitleLookups): ScopedStatement {
    return new ScopedStatement(titleStatement(lookups), KEY);
  }
}

Object.freeze(ScopedStatement);
Object.freeze(ScopedStatement.prototype);

const CURSOR = sql`matching_ids`;

function joinParts(parts: readonly SearchPart[]): Sql {
  const found = parts.map((part) => part.found).join(', ') as Sql;
  const rows = parts.map((part) => part.rows).join(' union all ') as Sql;
  return sql`with ${found} ${rows}`;
}
