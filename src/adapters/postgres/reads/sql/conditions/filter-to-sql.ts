/**
 * A filter as one SQL condition, whatever its depth. Shallow trees become plain AND and OR, which can use indexes.
 * PostgreSQL refuses some 3,300 nested parentheses, so a deep tree becomes flat CASE chains: with the largest
 * member of each group left to the end, `a AND (b OR (c AND ...))` decides from left to right, and chains nest no
 * deeper than the logarithm of the number of criteria. No criterion has a side effect, so the order of evaluation
 * does not change the meaning; NULL counts as false at every step.
 */
import { likeLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { Criterion, GroupOperator, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { isRelativePredicate } from '#domain/filter/values/relative-instants.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { criterionToSql, type EvaluationContext } from './criterion-to-sql.ts';
import { type Join, valueColumn } from './device-columns.ts';
import { isCountedByIndex, type NarrowTable, narrowTablesOf } from './narrow-tables.ts';
import { looksIndexed, looksSelective, namesFlagOrStatus, requiredTexts } from './required-texts.ts';

/** Deeper than this, nesting is turned into chains. */
const MAX_PLAIN_DEPTH = 64;

/** Made by `filterToSql` alone; `isCompiledFilter` checks that. */
export interface CompiledFilter {
  readonly condition: Sql;
  /** The tables beside `device d` that the condition reads. */
  readonly joins: ReadonlySet<Join>;
  /** Whether the text depends on the instant of evaluation, and so is not worth keeping. */
  readonly isRelative: boolean;
  /** Where all is that the condition reads, with a row of each device for which it holds; null if nowhere. */
  readonly narrow: NarrowTable | null;
  /** Whether few devices are likely to match. */
  readonly looksSelective: boolean;
  /** Whether these few are found by indexes. */
  readonly looksIndexed: boolean;
  /** Whether the matches are among those with a flag or a status, for which there are indexes. */
  readonly namesFlagOrStatus: boolean;
  /** Whether one of these has all that the filter reads. */
  readonly isCountedByIndex: boolean;
  /** Conditions of which each match fulfils one, and each a range of an index that has all that the filter reads. */
  readonly ranges: readonly Sql[];
}

/** A condition is repeated in each range, in characters. */
const REPEATABLE_LENGTH = 2_000;

/**
 * Up to this many criteria on rows of other tables, each may become a join. Planning time grows with the square of
 * their number (two seconds for 128), and planning cannot be cancelled.
 */
const MAX_ROW_JOINS = 8;

/** `root` is simplified. */
export function filterToSql(
  root: Node<Criterion>,
  evaluation: Omit<EvaluationContext, 'mayJoinRows'>,
): CompiledFilter {
  const context: EvaluationContext = { ...evaluation, mayJoinRows: countRowsCriteria(root) <= MAX_ROW_JOINS };
  const joins = new Set<Join>();
  let isRelative = false;
  const condition = foldConditions<Criterion, Piece>(root, {
    condition: (criterion) => {
      const join = joinOf(criterion);
      if (join !== null) joins.add(join);
      isRelative ||= isRelativePredicate(criterion.predicate);
      return { kind: 'plain', text: criterionToSql(criterion, context), depth: 0, size: 1 };
    },
    group: ({ operator }, members) => combine(operator, members),
  });
  const isSelective = looksSelective(root);
  const [narrow = null] = narrowTablesOf(root);
  const text = toText(condition) as Sql;
  const compiled: CompiledFilter = Object.freeze({
    condition: text,
    joins,
    isRelative,
    // What is rare among names has an index of the devices.
    narrow: narrow === 'names' && isSelective ? null : narrow,
    looksSelective: isSelective,
    looksIndexed: looksIndexed(root),
    namesFlagOrStatus: namesFlagOrStatus(root),
    isCountedByIndex: isCountedByIndex(root),
    ranges: text.length <= REPEATABLE_LENGTH ? hostnameBeginnings(root) : [],
  });
  COMPILED.add(compiled);
  return compiled;
}

const COMPILED = new WeakSet<CompiledFilter>();

/** Whether the condition was compiled here, and so is a single expression that nothing in it can break out of. */
export function isCompiledFilter(value: CompiledFilter): boolean {
  return COMPILED.has(value);
}

function countRowsCriteria(root: Node<Criterion>): number {
  let count = 0;
  foldConditions<Criterion, void>(root, {
    condition: ({ reads }) => {
      if (reads === 'rows') count++;
    },
    group: () => undefined,
  });
  return count;
}

function joinOf(criterion: Criterion): Join | null {
  if (criterion.reads === 'value') return valueColumn(criterion.field).join;
  return criterion.reads === 'software' ? 'software' : null;
}

/** Text in nested pieces, joined once at the end: joining at every level would copy a deep tree over and over. */
type Text = string | readonly Text[];

/** An expression, or a chain of decisions that ends in one. */
type Piece =
  | { readonly kind: 'plain'; readonly text: Text; readonly depth: number; readonly size: number }
  | { readonly kind: 'chain'; readonly arms: Text; readonly otherwise: Text; readonly size: number };

function combine(operator: GroupOperator, members: readonly Piece[]): Piece {
  if (members.length === 0) {
    return { kind: 'plain', text: operator === 'AND' ? 'true' : 'false', depth: 0, size: 1 };
  }
  const size = members.reduce((sum, member) => sum + member.size, 0);
  const depth = Math.max(
    ...members.map((member) => (member.kind === 'plain' ? member.depth : MAX_PLAIN_DEPTH)),
  );
  if (depth < MAX_PLAIN_DEPTH && members.every(({ kind }) => kind === 'plain')) {
    return {
      kind: 'plain',
      text: ['(', separate(members.map(expression), ` ${operator.toLowerCase()} `), ')'],
      depth: depth + 1,
      size,
    };
  }
  const heaviest = members.reduce((a, b) => (b.size > a.size ? b : a));
  const others = members.filter((member) => member !== heaviest).map(expression);
  // AND is decided if one of the others fails, OR if one holds; otherwise the heaviest decides.
  const decided =
    others.length === 0
      ? []
      : operator === 'AND'
        ? [' when (', separate(others, ' and '), ') is not true then false']
        : [' when ', separate(others, ' or '), ' then true'];
  return heaviest.kind === 'chain'
    ? { kind: 'chain', arms: [decided, heaviest.arms], otherwise: heaviest.otherwise, size }
    : { kind: 'chain', arms: decided, otherwise: heaviest.text, size };
}

function expression(piece: Piece): Text {
  return piece.kind === 'plain' ? piece.text : ['(case', piece.arms, ' else ', piece.otherwise, ' end)'];
}

function separate(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((text, i) => (i === 0 ? [text] : [separator, text]));
}

function toText(piece: Piece): string {
  const out: string[] = [];
  const stack: Text[] = [expression(piece)];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (typeof top === 'string') out.push(top);
    else for (let i = top.length - 1; i >= 0; i--) stack.push(top[i] ?? '');
  }
  return out.join('');
}

/**
 * What host names begin with, of filters that read nothing else: the indexes in the order of pages have both spellings
 * of a host name, so that the matches are found in a range of them, without a look at their rows. PostgreSQL finds one
 * range that way by itself, but not several.
 */

/**
 * Conditions on the device `d`, of which each match fulfils exactly one. None if the filter reads anything but host
 * names, or does not say what they begin with.
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

/** Folded; the criterion demands one of them. */
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

/** What begins with one of the others begins with nothing new. */
function withoutLonger(texts: readonly string[]): readonly string[] {
  const all = [...new Set(texts)];
  return all.filter((text) => !all.some((other) => other !== text && text.startsWith(other)));
}
