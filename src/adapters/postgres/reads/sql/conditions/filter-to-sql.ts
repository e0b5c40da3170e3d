/** Compiles a filter into one SQL condition, with what statements and plans need to know about it. */
import { countLiteral, likeLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { Criterion, InnerCriterion, Node } from '#domain/filter/conditions/condition.ts';
import { conditionsOf, eachCriterion, filtersOf } from '#domain/filter/conditions/expand-inner.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { isRelativePredicate } from '#domain/filter/values/relative-instants.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { criterionToSql, type EvaluationContext } from './criterion-to-sql.ts';
import { type Join, valueColumn } from './device-columns.ts';
import { joinConditions, type Piece, plain, toText } from './join-conditions.ts';
import { isCountedByIndex, type NarrowTable, narrowTablesOf, readsFlagsAndWords } from './narrow-tables.ts';
import { looksIndexed, looksSelective, namesFlagOrStatus, requiredTexts } from './required-texts.ts';
import { decidingIds, overlaps } from './software.ts';

/** Made only by `filterToSql` and `excluding`; `isCompiledFilter` checks that. */
export interface CompiledFilter {
  readonly condition: Sql;
  /** The tables to join to `device d`. */
  readonly joins: ReadonlySet<Join>;
  /** The condition contains the time, so its text does not recur. */
  readonly isRelative: boolean;
  /** A table with a row of each matching device and every column that the condition reads. */
  readonly narrow: NarrowTable | null;
  readonly looksSelective: boolean;
  readonly looksIndexed: boolean;
  /** Every match has a flag or a status with an index. */
  readonly namesFlagOrStatus: boolean;
  /** One index finds the matches and has everything that the filter reads. */
  readonly isCountedByIndex: boolean;
  /** One index has everything that the filter reads, but may not find the matches. */
  readonly readsFlagsAndWords: boolean;
  /** Ids of titles and versions, if the whole condition is to have one of them. */
  readonly ids: readonly number[] | null;
  /** Ranges of an index that has everything that the filter reads. Each match is in exactly one of them. */
  readonly ranges: readonly Sql[];
}

/** In characters. Longer conditions are not repeated for each range. */
const REPEATABLE_LENGTH = 2_000;

/** Planning time grows with the square of the number of joins (two seconds for 128), and cannot be canceled. */
const MAX_ROW_JOINS = 8;

/** `root` must be simplified. */
export function filterToSql(
  root: Node<Criterion>,
  evaluation: Omit<EvaluationContext, 'mayJoinRows'>,
): CompiledFilter {
  const context: EvaluationContext = { ...evaluation, mayJoinRows: countRowsCriteria(root) <= MAX_ROW_JOINS };
  const joins = new Set<Join>();
  let isRelative = false;
  const pieceOf = (node: Node<Criterion>) =>
    foldConditions<Criterion, Piece>(node, {
      condition: (criterion) => {
        if (criterion.reads === 'filter') return plain(shared.condition(criterion));
        const join = joinOf(criterion);
        if (join !== null) joins.add(join);
        isRelative ||= isRelativePredicate(criterion.predicate);
        const ids = decidingIds(criterion, context.titleIds);
        return { ...plain(criterionToSql(criterion, context)), ids };
      },
      group: ({ operator }, members) => joinConditions(operator, members),
    });
  const shared = new SharedFilters((node) => toText(pieceOf(node)));
  const isSelective = looksSelective(root);
  const [narrow = null] = narrowTablesOf(root);
  const piece = pieceOf(root);
  const text = shared.around(toText(piece));
  const compiled: CompiledFilter = Object.freeze({
    condition: text,
    joins,
    isRelative,
    // Rare names are found by an index of devices.
    narrow: narrow === 'names' && isSelective ? null : narrow,
    looksSelective: isSelective,
    looksIndexed: looksIndexed(root),
    namesFlagOrStatus: namesFlagOrStatus(root),
    isCountedByIndex: isCountedByIndex(root),
    readsFlagsAndWords: readsFlagsAndWords(root),
    ids: piece.kind === 'plain' ? (piece.ids ?? null) : null,
    ranges: text.length <= REPEATABLE_LENGTH ? hostnameBeginnings(root) : [],
  });
  COMPILED.add(compiled);
  return compiled;
}

/** Matches what the first filter matches and the second does not. */
export function excluding(filter: CompiledFilter, excluded: CompiledFilter): CompiledFilter {
  // Comparing sets is slow, so ids of the second filter are left out of the index search.
  const condition =
    filter.ids === null || excluded.ids === null
      ? filter.condition
      : overlaps([...new Set(filter.ids).difference(new Set(excluded.ids))]);
  const compiled: CompiledFilter = Object.freeze({
    condition: sql`((${condition}) and (${excluded.condition}) is not true)`,
    joins: filter.joins.union(excluded.joins),
    isRelative: filter.isRelative || excluded.isRelative,
    narrow: null,
    looksSelective: false,
    looksIndexed: false,
    namesFlagOrStatus: false,
    isCountedByIndex: false,
    readsFlagsAndWords: false,
    ids: null,
    ranges: [],
  });
  COMPILED.add(compiled);
  return compiled;
}

/** Whether an index finds the matches, but has no other columns of devices: texts of two characters, and ranges. */
export function isLookedThrough({ looksSelective, looksIndexed, ranges }: CompiledFilter): boolean {
  return (looksSelective && !looksIndexed) || ranges.length > 0;
}

const COMPILED = new WeakSet<CompiledFilter>();

/** Only conditions compiled here are single expressions, which cannot break out of their parentheses. */
export function isCompiledFilter(value: CompiledFilter): boolean {
  return COMPILED.has(value);
}

function countRowsCriteria(root: Node<Criterion>): number {
  let count = 0;
  eachCriterion(root, simplifyConditions, ({ reads }) => {
    if (reads === 'rows' || reads === 'patches') count++;
  });
  return count;
}

/**
 * Inner filters that remain after simplification. Each is an array element in a subquery, so it is evaluated once per
 * device. Arrays are nested, because a flat list of subqueries that refer to each other is too much for the planner.
 */
class SharedFilters {
  readonly #compile: (node: Node<Criterion>) => Sql;
  readonly #elements = new Map<InnerFilter, { readonly level: number; readonly sql: Sql }>();
  /** Conditions refer only to elements of lower levels. */
  readonly #levels: Sql[][] = [];

  constructor(compile: (node: Node<Criterion>) => Sql) {
    this.#compile = compile;
  }

  condition(criterion: InnerCriterion): Sql {
    const elements = filtersOf(criterion).map((filter) => this.#elementOf(filter).sql);
    const any = sql`(${(elements.length === 0 ? sql`false` : elements.join(' or ')) as Sql})`;
    return criterion.isNegated ? sql`${any} is not true` : any;
  }

  /** OFFSET 0 keeps the planner from repeating a condition wherever its element is used. */
  around(condition: Sql): Sql {
    const [lowest, ...higher] = this.#levels.map(
      (conditions, level) => sql`array[${conditions.join(', ') as Sql}] as v${countLiteral(level)}`,
    );
    if (lowest === undefined) return condition;
    const known = higher.reduce(
      (from, array) => sql`(select known.*, ${array} from ${from} known offset 0)`,
      sql`(select ${lowest} offset 0)`,
    );
    return sql`(select ${condition} from ${known} known)`;
  }

  #elementOf(filter: InnerFilter): { readonly level: number; readonly sql: Sql } {
    const known = this.#elements.get(filter);
    if (known !== undefined) return known;
    const conditions = simplifyConditions(conditionsOf(filter));
    const level = foldConditions<Criterion, number>(conditions, {
      condition: (criterion) =>
        criterion.reads === 'filter'
          ? Math.max(-1, ...filtersOf(criterion).map((each) => this.#elementOf(each).level)) + 1
          : 0,
      group: (_, members) => Math.max(0, ...members),
    });
    const text = this.#compile(conditions);
    const ofLevel = this.#levels[level] ?? [];
    this.#levels[level] = ofLevel;
    const element = { level, sql: sql`known.v${countLiteral(level)}[${countLiteral(ofLevel.push(text))}]` };
    this.#elements.set(filter, element);
    return element;
  }
}

function joinOf(criterion: Criterion): Join | null {
  if (criterion.reads === 'value') return valueColumn(criterion.field).join;
  return criterion.reads === 'software' || criterion.reads === 'versions' ? 'software' : null;
}

/**
 * The index in page order has both spellings of host names, so its ranges give the matches without reading rows.
 * PostgreSQL does so for one range, but not for several.
 */
function hostnameBeginnings(root: Node<Criterion>): readonly Sql[] {
  const members = root.kind === 'group' && root.operator === 'AND' ? root.conditions : [root];
  if (!members.every(isOfHostname)) return [];
  const beginnings = members.map(beginningsOf).find((texts) => texts.length > 0) ?? [];
  return withoutLonger(beginnings).map((text) => sql`d.hostname_lc like ${likeLiteral(text, 'start')}`);
}

function isOfHostname(node: Node<Criterion>): boolean {
  if (node.kind === 'group' || node.reads !== 'value') return false;
  const { source } = node.field;
  return source.kind === 'core' && source.key === 'hostname';
}

/** Every match begins with one of these folded texts. Empty if the criterion demands none. */
function beginningsOf(node: Node<Criterion>): readonly string[] {
  if (node.kind === 'group' || node.isNegated) return [];
  const { predicate } = node;
  if (predicate.kind === 'textLike') {
    return predicate.position === 'start' && predicate.folded !== '' ? [predicate.folded] : [];
  }
  if (predicate.kind !== 'pattern') return [];
  const required = requiredTexts(predicate.pattern);
  return required?.position === 'start' ? required.texts.map(foldCase) : [];
}

function withoutLonger(texts: readonly string[]): readonly string[] {
  const all = [...new Set(texts)];
  return all.filter((text) => !all.some((other) => other !== text && text.startsWith(other)));
}
