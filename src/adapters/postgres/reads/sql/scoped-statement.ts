/**
 * The only statements that run exempt from row-level security. Each is built here, from a scope that becomes its
 * predicate; the reader runs nothing else, and no other file can create one. So a read without a scope cannot be
 * written.
 */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import type { Join } from './device-columns.ts';
import { type CompiledFilter, isCompiledFilter } from './filter-to-sql.ts';
import { type Sql, sql } from './literal.ts';
import { scopeCondition, searchScope } from './scope-condition.ts';
import { SEARCH_BOUNDS, type SearchBounds, searchPart, searchPartInTurn } from './search-statement.ts';
import { SEARCHED_TABLES } from './search-tables.ts';
import { type SearchStep, type SearchTerms, searchValues } from './search-terms.ts';
import { type TitleLookups, titleStatement } from './software.ts';
import { customFields, savedFilterById, savedFilters } from './stored-filters.ts';

/**
 * How one statement yields both count and page. `split` plans them separately, which is best if many devices match;
 * `materialized` finds the matches once, which is best if few do or if evaluating the filter is the main cost.
 */
export type PreviewShape = 'split' | 'materialized';

/** Required by the constructor; it never leaves this file. */
const KEY = Symbol('scoped statement');

/** A statement that contains its scope. */
export class ScopedStatement {
  readonly #text: string;
  readonly #values: readonly unknown[];

  /** `private` protects at compile time, the key at run time. */
  private constructor(text: Sql, key: symbol, values: readonly unknown[] = []) {
    if (key !== KEY) throw new Error('scoped statements are made from a scope');
    this.#text = text;
    this.#values = Object.freeze([...values]);
    Object.freeze(this);
  }

  get text(): string {
    return this.#text;
  }

  /** The values of its parameters, in order; the scope does not depend on them. */
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
    const matching = matchingDevices(scope, filter);
    const size = positiveInteger(limit);
    return new ScopedStatement(
      shape === 'split'
        ? sql`with p as (select ${PAGE_COLUMNS} ${matching} order by d.hostname_lc, d.id limit ${size})
              select c.total, ${answerColumns(sql`p`)} from (select count(*) as total ${countedRows(scope, filter)}) c
              left join p on true order by p.hostname_lc, p.id`
        : sql`with m as materialized (select d.id, d.hostname_lc ${matching}),
              p as (select id, hostname_lc from m order by hostname_lc, id limit ${size})
              select c.total, ${answerColumns(sql`d`)} from (select count(*) as total from m) c
              left join (p join device d on d.id = p.id) on true order by p.hostname_lc, p.id`,
      KEY,
    );
  }

  /** Declares the transaction's cursor over the ids of all matching devices. */
  static cursor(scope: AccessScope, filter: CompiledFilter): ScopedStatement {
    return new ScopedStatement(
      sql`declare ${CURSOR} no scroll cursor for select d.id ${matchingDevices(scope, filter)}`,
      KEY,
    );
  }

  /** The next rows of (id) from the transaction's cursor; none at its end. */
  static next(count: number): ScopedStatement {
    return new ScopedStatement(sql`fetch ${positiveInteger(count)} from ${CURSOR}`, KEY);
  }

  /**
   * The best `limit` of each category: rows of (category, id, and three texts of what was found, see
   * `SEARCHED_TABLES`). At the first look a row without an id says that its category has to be searched in turn. The
   * text is a parameter, so that one plan serves all that is looked for in a scope.
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
    const size = positiveInteger(limit);
    const largest = {
      smallScope: wholeNumber(bounds.smallScope),
      largeScope: wholeNumber(bounds.largeScope),
      commonText: wholeNumber(bounds.commonText),
      veryCommonText: wholeNumber(bounds.veryCommonText),
      walk: wholeNumber(bounds.walk),
      longWalk: wholeNumber(bounds.longWalk),
      heads: wholeNumber(bounds.heads),
      beginnings: wholeNumber(bounds.beginnings),
    };
    const toPart = step === 'first look' ? searchPart : searchPartInTurn;
    const parts = categories.map((category) =>
      toPart(SEARCHED_TABLES[category], searchScope(scope, category), size, largest),
    );
    const found = parts.map((part) => part.found).join(', ') as Sql;
    const rows = parts.map((part) => part.rows).join(' union all ') as Sql;
    return new ScopedStatement(sql`with ${found} ${rows}`, KEY, searchValues(terms, step));
  }

  /** The saved filter with this id. */
  static savedFilter(scope: AccessScope, id: FilterId): ScopedStatement {
    return new ScopedStatement(savedFilterById(scope), KEY, [id]);
  }

  /** Every saved filter, newest first. */
  static savedFilters(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(savedFilters(scope), KEY);
  }

  /** Every custom field, with the organizations in the scope that it applies to. */
  static customFields(scope: AccessScope): ScopedStatement {
    return new ScopedStatement(customFields(scope), KEY);
  }

  /** Resolves software names to title ids. Titles belong to no tenant; only their installations do. */
  static titles(lookups: TitleLookups): ScopedStatement {
    return new ScopedStatement(titleStatement(lookups), KEY);
  }
}

Object.freeze(ScopedStatement);
Object.freeze(ScopedStatement.prototype);

const CURSOR = sql`matching_ids`;

const PAGE_COLUMNS = sql`d.id, d.hostname, d.display_name, d.os_type, d.status, d.last_seen_at, d.hostname_lc`;

/** The columns of the answer, computed for the page alone: before the limit they would be computed for every match. */
function answerColumns(table: Sql): Sql {
  return sql`${table}.id, ${table}.hostname, ${table}.display_name, ${table}.os_type, ${table}.status,
              (extract(epoch from ${table}.last_seen_at) * 1000)::int8`;
}

const JOINED_TABLES: Readonly<Record<Join, { readonly table: Sql; readonly alias: Sql }>> = {
  hardware: { table: sql`device_hardware`, alias: sql`h` },
  software: { table: sql`device_software`, alias: sql`s` },
};

/** `from` and `where` for the matching devices in scope. */
function matchingDevices(scope: AccessScope, filter: CompiledFilter): Sql {
  const { condition, joins } = genuine(filter);
  const joined = [...joins].map((join) => {
    const { table, alias } = JOINED_TABLES[join];
    // A device's parts belong to its organization; repeating the scope lets PostgreSQL use an index on either table.
    return sql` left join ${table} ${alias} on ${alias}.device_id = d.id and ${scopeCondition(scope, sql`${alias}.org_id`)}`;
  });
  return sql`from device d${joined.join('') as Sql} where ${scopeCondition(scope, sql`d.org_id`)} and (${condition})`;
}

/** One row per matching device. Every set of titles belongs to a device of the same organization. */
function countedRows(scope: AccessScope, filter: CompiledFilter): Sql {
  return filter.isOfSoftwareAlone
    ? sql`from device_software s where ${scopeCondition(scope, sql`s.org_id`)} and (${genuine(filter).condition})`
    : matchingDevices(scope, filter);
}

/** A condition from elsewhere could close the parenthesis around it. */
function genuine(filter: CompiledFilter): CompiledFilter {
  if (!isCompiledFilter(filter)) throw new Error('not a compiled filter');
  return filter;
}

function positiveInteger(count: number): Sql {
  if (!Number.isInteger(count) || count < 1) throw new Error('not a positive integer');
  return String(count) as Sql;
}

function wholeNumber(count: number): Sql {
  if (!Number.isInteger(count) || count < 0) throw new Error('not a whole number');
  return String(count) as Sql;
}
