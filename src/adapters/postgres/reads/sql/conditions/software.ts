/**
 * Software by name. Devices have sets of title ids, so a name is first resolved to ids among the titles in scope, in the
 * same snapshot.
 */
import {
  arrayLiteral,
  likePattern,
  numbersLiteral,
  type Sql,
  sql,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { NamePredicate } from '#domain/filter/conditions/predicate.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { LONGEST_INDEXED_NAME, titlesInScope } from './titles-in-scope.ts';

export interface TitleLookups {
  /** Folded names. */
  readonly names: ReadonlySet<string>;
  /** LIKE patterns over folded names. */
  readonly patterns: ReadonlySet<string>;
}

/** Ids by `name ` and a folded name, or `like ` and a pattern. A missing key has none. */
export type TitleIds = ReadonlyMap<string, readonly number[]>;

export const NO_TITLES: TitleIds = new Map();

/** Null if the filter does not ask for software. */
export function titleLookups(root: Node<Criterion>): TitleLookups | null {
  const names = new Set<string>();
  const patterns = new Set<string>();
  foldConditions<Criterion, void>(root, {
    condition: (criterion) => {
      if (criterion.reads !== 'software') return;
      const { predicate } = criterion;
      if (predicate.kind === 'textLike') patterns.add(likePattern(predicate.folded, predicate.position));
      else for (const name of predicate.values) names.add(name);
    },
    group: () => undefined,
  });
  return names.size + patterns.size === 0 ? null : { names, patterns };
}

/**
 * Resolves names and patterns to the ids of titles that organizations in scope have or had: rows of (key, title_ids),
 * the key as in `TitleIds`. Planning an empty kind of look-up would take as long as answering the other.
 */
export function titleStatement(scope: AccessScope, { names, patterns }: TitleLookups): Sql {
  const hasLong = names.values().some((name) => utf8Length(name) > LONGEST_INDEXED_NAME);
  // A join instead of `= any(...)`, because the list may have sixty thousand names.
  const byName = sql`select 'name ' || n.name as key, array_agg(distinct t.title_id) as title_ids
    from unnest(${arrayLiteral(names, sql`text`)}) n(name)
    join (${titlesInScope(scope, hasLong ? 1 : 0)}) t on t.name_lc = n.name group by n.name`;
  const byPattern = sql`select 'like ' || p.pattern as key, array_agg(distinct t.title_id) as title_ids
    from unnest(${arrayLiteral(patterns, sql`text`)}) p(pattern)
    join (${titlesInScope(scope, patterns.size)}) t on t.name_lc like p.pattern group by p.pattern`;
  if (patterns.size === 0) return byName;
  return names.size === 0 ? byPattern : sql`${byName} union all ${byPattern}`;
}

/** NULL if the device never reported any software. */
export function softwareCondition(predicate: NamePredicate, titleIds: TitleIds): Sql {
  if (predicate.kind === 'textLike') {
    return overlaps(titleIds.get(`like ${likePattern(predicate.folded, predicate.position)}`) ?? []);
  }
  const sets = Array.from(predicate.values, (name) => titleIds.get(`name ${name}`) ?? []);
  if (predicate.kind === 'foldedTextIn') return overlaps(sets.flat());
  const isImpossible = sets.some((ids) => ids.length === 0);
  return isImpossible && sets.length > MANY_NAMES
    ? overlaps([])
    : sql`(${sets.map(overlaps).join(' and ') as Sql})`;
}

/** With more names, one of them unknown, a condition for each would cost more than it hides. */
const MANY_NAMES = 1_000;

/** Ids begin at 1. */
const NO_TITLE = 0;

/** An unknown name gets the same condition, so neither the statement nor its plan tells whether it is known. */
function overlaps(ids: readonly number[]): Sql {
  return sql`s.title_ids && ${numbersLiteral(ids.length === 0 ? [NO_TITLE] : ids, sql`int4`)}`;
}
