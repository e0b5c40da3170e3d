/**
 * A device stores its software as a set of title and version ids. So the names in a filter are first
 * resolved, in the same snapshot, to ids of software in scope.
 */
import {
  arrayLiteral,
  likePattern,
  numbersLiteral,
  type Sql,
  sql,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Criterion, Node, VersionsCriterion } from '#domain/filter/conditions/condition.ts';
import { eachCriterion } from '#domain/filter/conditions/expand-inner.ts';
import type { NamePredicate, VersionPredicate } from '#domain/filter/conditions/predicate.ts';
import { isVersionInRange } from '#domain/filter/values/ranges.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { LONGEST_INDEXED_NAME, titlesInScope, versionsInScope } from './titles-in-scope.ts';

export interface TitleLookups {
  /** Folded names. */
  readonly names: ReadonlySet<string>;
  /** Patterns for LIKE over folded names. */
  readonly patterns: ReadonlySet<string>;
  /** Folded names of titles whose versions are compared. */
  readonly versions: ReadonlySet<string>;
}

/** Keys are `name <folded name>`, `versions <folded name>` or `like <pattern>`. A missing key means no ids. */
export type TitleIds = ReadonlyMap<string, FoundIds>;

export interface FoundIds {
  readonly ids: readonly number[];
  readonly versionKeys: readonly string[];
}

export const NO_TITLES: TitleIds = new Map();

export function titleLookups(root: Node<Criterion>): TitleLookups | null {
  const names = new Set<string>();
  const patterns = new Set<string>();
  const versions = new Set<string>();
  // Nothing is simplified, because an explanation also counts conditions that simplification drops.
  eachCriterion(
    root,
    (node) => node,
    (criterion) => {
      if (criterion.reads === 'versions') versions.add(criterion.field.source.folded);
      if (criterion.reads !== 'software') return;
      const { predicate } = criterion;
      if (predicate.kind === 'textLike') patterns.add(likePattern(predicate.folded, predicate.position));
      else for (const name of predicate.values) names.add(name);
    },
  );
  return names.size + patterns.size + versions.size === 0 ? null : { names, patterns, versions };
}

/**
 * Rows of (key, ids, version_keys), with keys as in `TitleIds`, for software that organizations in scope have
 * or had. Unneeded look-ups are left out, because planning them takes as long as answering.
 */
export function titleStatement(scope: AccessScope, { names, patterns, versions }: TitleLookups): Sql {
  // A join instead of `= any(...)`, because there may be sixty thousand names.
  const byName = sql`select 'name ' || n.name as key, array_agg(distinct t.title_id) as ids, '{}'::text[] as version_keys
    from ${named(scope, names)} group by n.name`;
  const byPattern = sql`select 'like ' || p.pattern as key, array_agg(distinct t.title_id) as ids, '{}'::text[] as version_keys
    from unnest(${arrayLiteral(patterns, sql`text`)}) p(pattern)
    join (${titlesInScope(scope, patterns.size)}) t on t.name_lc like p.pattern group by p.pattern`;
  const byVersion = sql`select 'versions ' || f.name as key, array_agg(f.id) as ids, array_agg(f.version_key) as version_keys
    from (select distinct n.name, v.id, v.version_key
      from ${named(scope, versions)} join (${versionsInScope(scope)}) v on v.title_id = t.title_id) f group by f.name`;
  const parts = [
    ...(names.size > 0 ? [byName] : []),
    ...(patterns.size > 0 ? [byPattern] : []),
    ...(versions.size > 0 ? [byVersion] : []),
  ];
  return parts.join(' union all ') as Sql;
}

/** FROM clause that joins the names `n` to their titles `t`. */
function named(scope: AccessScope, names: ReadonlySet<string>): Sql {
  const hasLong = names.values().some((name) => utf8Length(name) > LONGEST_INDEXED_NAME);
  return sql`unnest(${arrayLiteral(names, sql`text`)}) n(name)
    join (${titlesInScope(scope, hasLong ? 1 : 0)}) t on t.name_lc = n.name`;
}

/** The condition is NULL for a device that has never reported software. */
export function softwareCondition(predicate: NamePredicate, titleIds: TitleIds): Sql {
  if (predicate.kind !== 'hasAllFolded') return overlaps(idsOfNames(predicate, titleIds));
  const sets = setsOfNames(predicate.values, titleIds);
  const isImpossible = sets.some((ids) => ids.length === 0);
  return isImpossible && sets.length > MANY_NAMES
    ? overlaps([])
    : sql`(${sets.map(overlaps).join(' and ') as Sql})`;
}

/**
 * The condition is NULL for a device that has never reported software. Versions are compared in this process,
 * so the SQL has only ids.
 */
export function versionsCondition(criterion: VersionsCriterion, titleIds: TitleIds): Sql {
  return overlaps(idsOfVersions(criterion, titleIds));
}

/**
 * Returns ids if the criterion matches exactly the devices that have one of them, otherwise null. An OR of
 * such criteria needs only one look-up.
 */
export function decidingIds(criterion: Criterion, titleIds: TitleIds): readonly number[] | null {
  if (criterion.isNegated) return null;
  if (criterion.reads === 'versions') return idsOfVersions(criterion, titleIds);
  if (criterion.reads !== 'software' || criterion.predicate.kind === 'hasAllFolded') return null;
  return idsOfNames(criterion.predicate, titleIds);
}

function idsOfNames(
  predicate: Exclude<NamePredicate, { readonly kind: 'hasAllFolded' }>,
  titleIds: TitleIds,
): readonly number[] {
  return predicate.kind === 'textLike'
    ? (titleIds.get(`like ${likePattern(predicate.folded, predicate.position)}`)?.ids ?? [])
    : setsOfNames(predicate.values, titleIds).flat();
}

function setsOfNames(names: ReadonlySet<string>, titleIds: TitleIds): (readonly number[])[] {
  return Array.from(names, (name) => titleIds.get(`name ${name}`)?.ids ?? []);
}

function idsOfVersions({ field, predicate }: VersionsCriterion, titleIds: TitleIds): readonly number[] {
  const { ids, versionKeys } = titleIds.get(`versions ${field.source.folded}`) ?? {
    ids: [],
    versionKeys: [],
  };
  return ids.filter((_id, i) => matchesVersion(predicate, versionKeys[i] ?? ''));
}

function matchesVersion(predicate: VersionPredicate, key: string): boolean {
  switch (predicate.kind) {
    case 'present':
      return true;
    case 'textIn':
      return predicate.values.has(key);
    case 'versionRange':
      return isVersionInRange(predicate.range, key);
  }
}

/**
 * Up to this many names, unknown names are searched for as known ones are, so timing does not reveal which names exist.
 */
const MANY_NAMES = 1_000;

/** No title or version has this id: titles count from 1 up, versions from -1 down. */
const NO_TITLE = 0;

/** An empty list gives a condition of the same form, so the plan does not reveal whether a name is known. */
export function overlaps(ids: readonly number[]): Sql {
  const sought = ids.length === 0 ? [NO_TITLE] : [...new Set(ids)].sort((a, b) => a - b);
  return sql`s.title_ids && ${numbersLiteral(sought, sql`int4`)}`;
}
