/** Compiles a filter into one SQL condition, with facts that decide which statement uses it. */
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
  /** Whether the condition contains the current time, so that its text differs in each run. */
  readonly isRelative: boolean;
  /** A narrower table that has every column the condition reads, and a row for each match. */
  readonly narrow: NarrowTable | null;
  readonly looksSelective: boolean;
  readonly looksIndexed: boolean;
  readonly namesFlagOrStatus: boolean;
  readonly isCountedByIndex: boolean;
  /** Whether one index has all columns that the filter reads. */
  readonly readsFlagsAndWords: boolean;
  /** Software ids, if the matches are exactly the devices that have one of them. Otherwise null. */
  readonly ids: readonly number[] | null;
  /** If the filter reads only host names: ranges of their index, with each match in exactly one range. */
  readonly ranges: readonly Sql[];
}

/** In characters. Longer conditions are not repeated for each range. */
const REPEATABLE_LENGTH = 2_000;

/** Planning time grows with the square of the number of joins (two seconds for 128), and cannot be canceled. */
const MAX_ROW_JOINS = 8;

/** `root` must come from `simplifyConditions`. */
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
    // An index of `device` finds rare names faster than a scan of `device_names`.
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

export function excluding(filter: CompiledFilter, excluded: CompiledFilter): CompiledFilter {
  // In SQL, `excluded.condition` rules out the devices of `excluded.ids` anyway. Without these ids, the list that
  // PostgreSQL compares is shorter.
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

/**
 * Whether the matches are found in an index of host names: by `ranges`, or by looking through all names for a
 * text of two characters.
 */
export function isLookedThrough({ looksSelective, looksIndexed, ranges }: CompiledFilter): boolean {
  return (looksSelective && !looksIndexed) || ranges.length > 0;
}

const COMPILED = new WeakSet<CompiledFilter>();

/** Whether this file compiled the filter. Other SQL could close the parentheses around it. */
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
 * Inner filters left after simplification. Each becomes an array element in a subquery, so it is evaluated
 * once per device. Subqueries are nested, because the planner cannot cope with a flat list of subqueries that
 * refer to each other.
 */
class SharedFilters {
  readonly #compile: (node: Node<Criterion>) => Sql;
  readonly #elements = new Map<InnerFilter, { readonly level: number; readonly sql: Sql }>();
  /** The elements of each level. They refer only to lower levels. */
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
 * Ranges of the index on folded host names, each for a separate subquery. For one range, PostgreSQL reads
 * only the index. For several together, it would also read rows.
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
