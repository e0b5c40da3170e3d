/**
 * A filter as one SQL condition, whatever its depth. Shallow trees become plain AND and OR, on which indexes can
 * be used. PostgreSQL refuses some 3,300 nested parentheses, so a deep tree becomes flat CASE chains: with the
 * largest member of each group left to the end, `a AND (b OR (c AND ...))` decides from left to right, and chains
 * nest no deeper than the logarithm of the number of tests. No test has an effect, so the order of evaluation does
 * not change the meaning; what is NULL counts as false at every step.
 */
import type { Criterion, GroupOperator, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import { criterionToSql, type TestContext } from './criterion-to-sql.ts';
import { columnOf, type Join } from './device-columns.ts';
import type { Sql } from './literal.ts';
import { looksSelective } from './looks-selective.ts';

/** Deeper than this, nesting is turned into chains. */
const MAX_PLAIN_DEPTH = 64;

/** Made by `filterToSql` and nobody else, which `isCompiledFilter` tells. */
export interface CompiledFilter {
  readonly condition: Sql;
  /** The tables beside `device d` that the condition reads. */
  readonly joins: ReadonlySet<Join>;
  /** Whether the text depends on the instant of evaluation, and so is not worth keeping. */
  readonly isRelative: boolean;
  /** Whether the condition reads nothing but `device_software s`, and is never true without a row of it. */
  readonly isOfSoftwareAlone: boolean;
  /** Whether it looks as if few devices matched. */
  readonly looksSelective: boolean;
}

/**
 * Tests of tables of rows up to which each may become a join. Planning takes time with the square of their number
 * (two seconds for 128), and does not listen to a cancel.
 */
const MAX_ROW_JOINS = 8;

/** `root` is simplified. */
export function filterToSql(root: Node<Criterion>, given: Omit<TestContext, 'mayJoinRows'>): CompiledFilter {
  const context: TestContext = { ...given, mayJoinRows: countRowTests(root) <= MAX_ROW_JOINS };
  const joins = new Set<Join>();
  let isRelative = false;
  let isOfSoftwareAlone = root.kind === 'condition' || root.conditions.length > 0;
  const condition = foldConditions<Criterion, Piece>(root, {
    condition: (test) => {
      const column = columnOf(test.field);
      if (column.kind === 'software') joins.add('software');
      else if (column.kind === 'value' && column.join !== null) joins.add(column.join);
      isRelative ||= RELATIVE.has(test.predicate.kind);
      isOfSoftwareAlone &&= column.kind === 'software' && !test.isNegated;
      return { kind: 'plain', text: criterionToSql(test, context), depth: 0, size: 1 };
    },
    group: ({ operator }, members) => combine(operator, members),
  });
  const compiled: CompiledFilter = Object.freeze({
    condition: toText(condition) as Sql,
    joins,
    isRelative,
    isOfSoftwareAlone,
    looksSelective: looksSelective(root),
  });
  COMPILED.add(compiled);
  return compiled;
}

const COMPILED = new WeakSet<CompiledFilter>();

/** Whether the condition was compiled here, and so is one expression that nothing in it can get out of. */
export function isCompiledFilter(value: CompiledFilter): boolean {
  return COMPILED.has(value);
}

function countRowTests(root: Node<Criterion>): number {
  let count = 0;
  foldConditions<Criterion, void>(root, {
    condition: ({ field }) => {
      if (field.source.kind === 'core' && columnOf(field).kind === 'rows') count++;
    },
    group: () => undefined,
  });
  return count;
}

const RELATIVE: ReadonlySet<string> = new Set(['withinLast', 'elapsedDaysIn', 'elapsedDaysRange']);

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
  // AND is decided where one of the others fails, OR where one holds; else by the heaviest.
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
