/**
 * Previews as they are sent to PostgreSQL, remembered with their filters: whoever previews the same conditions again
 * has them parsed once, and compiled once for each scope and limit. The organizations in reach are a part of
 * the key, so that nobody is ever given what was compiled for another reach.
 */
import { LRUCache } from 'lru-cache';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import {
  NO_TITLES,
  type TitleIds,
  type TitleLookups,
  titleLookups,
} from '#adapters/postgres/reads/sql/conditions/software.ts';
import type { PreviewShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { ConditionGroup, Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { EpochMs } from '#domain/time.ts';

/** How many are remembered, and how many characters of SQL in all. */
const REMEMBERED = 5_000;
const REMEMBERED_LENGTH = 10_000_000;

/** A filter, made ready to be compiled. */
export interface ReadyFilter {
  readonly root: Node<Criterion>;
  /** The titles that have to be looked up before; null if there are none. */
  readonly lookups: TitleLookups | null;
  /** Of no other filter. */
  readonly number: number;
  /** Whether it came before, and so is likely to come again. */
  readonly isRepeated: boolean;
}

/** A filter in a scope; its statement by shape. */
export class CompiledPreview {
  readonly scope: AccessScope;
  readonly filter: CompiledFilter;
  readonly limit: number;
  readonly #make: (shape: PreviewShape) => ScopedStatement;
  readonly #made = new Map<PreviewShape, ScopedStatement>();

  constructor(scope: AccessScope, filter: CompiledFilter, limit: number) {
    this.scope = scope;
    this.filter = filter;
    this.limit = limit;
    this.#make = (shape) => ScopedStatement.preview(scope, filter, limit, shape);
  }

  statement(shape: PreviewShape): ScopedStatement {
    const made = this.#made.get(shape) ?? this.#make(shape);
    this.#made.set(shape, made);
    return made;
  }
}

export interface CompiledPreviews {
  ready(filter: ConditionGroup): ReadyFilter;
  /** `titleIds` are those of the filter's look-ups. */
  compile(
    filter: ReadyFilter,
    scope: AccessScope,
    limit: number,
    at: EpochMs,
    titleIds?: TitleIds,
  ): CompiledPreview;
}

export function makeCompiledPreviews(): CompiledPreviews {
  const readied = new WeakMap<ConditionGroup, ReadyFilter>();
  let count = 0;
  const compiled = new LRUCache<string, CompiledPreview>({
    max: REMEMBERED,
    maxSize: REMEMBERED_LENGTH,
    // The statement has both, most often twice.
    sizeCalculation: ({ filter }, key) => key.length + filter.condition.length,
  });
  return {
    ready: (filter) => {
      const known = readied.get(filter);
      if (known?.isRepeated === true) return known;
      const made = known === undefined ? makeReady(filter, count++) : { ...known, isRepeated: true };
      readied.set(filter, made);
      return made;
    },
    compile: ({ root, number, isRepeated }, scope, limit, at, titleIds = NO_TITLES) => {
      if (titleIds !== NO_TITLES)
        return new CompiledPreview(scope, filterToSql(root, { at, titleIds }), limit);
      const key = `${number} ${limit} ${reachableOrgIds(scope)?.join() ?? 'all'}`;
      const known = compiled.get(key);
      if (known !== undefined) return known;
      const made = new CompiledPreview(scope, filterToSql(root, { at, titleIds }), limit);
      // What depends on the instant does not come again, and most filters come once.
      if (isRepeated && !made.filter.isRelative) compiled.set(key, made);
      return made;
    },
  };
}

function makeReady(filter: ConditionGroup, number: number): ReadyFilter {
  const root = simplifyConditions(filter);
  return { root, lookups: titleLookups(root), number, isRepeated: false };
}
