/** Refuses patterns so large that PostgreSQL might call them too complex, or that would cost too much here. */

import { type PatternItem, type PatternReading, readPattern } from './pattern-item.ts';
import { type PatternRefusal, untranslatablePattern } from './pattern-refusal.ts';

/**
 * States that PostgreSQL makes, once every repetition is written out. PostgreSQL 18 runs out of stack at
 * some 43,000: `(?:a{255}){169}`, `(?:(?:a){100}){87}` [measured].
 */
const MAX_STATES = 10_000;

/**
 * Ways to go from one character to a next one, once every repetition is written out. PostgreSQL 18 gives
 * up, or takes many seconds, from some 400,000: `(?:(?:a*){100}){10}` [measured].
 */
const MAX_PATHS = 50_000;

/**
 * Assertions that can meet in one place, once every repetition is written out: their combinations
 * multiply in PostgreSQL 18, which calls eighteen `\y` in a row too complex [measured].
 */
const MAX_ASSERTIONS = 12;

/** A refusal of the pattern, or undefined where its size is safe. Takes linear time. */
export function refuseOversize(items: readonly PatternItem[]): PatternRefusal | undefined {
  const size = readPattern(items, MEASURE);
  if (size.states > MAX_STATES || size.paths > MAX_PATHS) {
    return untranslatablePattern(
      'repetition count',
      'repetitions that multiply into a very large pattern cannot be evaluated in process',
    );
  }
  if (size.assertions > MAX_ASSERTIONS) {
    return untranslatablePattern(
      'assertion',
      `more than ${MAX_ASSERTIONS} assertions such as \\y, ^ or (?=...) in a row, repetitions counted, cannot be evaluated in process`,
    );
  }
  return undefined;
}

/** Sizes of a part as PostgreSQL lays it out; capped, so that they stay finite. */
interface PartSize {
  readonly states: number;
  readonly paths: number;
  /** Characters that can be the first, and the last, of a match of the part. */
  readonly firsts: number;
  readonly lasts: number;
  readonly canBeEmpty: boolean;
  /** In the branch that has most; what matters where the part is all there is. */
  readonly assertions: number;
  /** In all branches; what matters where the part is one of several in a row. */
  readonly chainedAssertions: number;
}

const EMPTY: PartSize = {
  states: 1,
  paths: 0,
  firsts: 0,
  lasts: 0,
  canBeEmpty: true,
  assertions: 0,
  chainedAssertions: 0,
};

const CHARACTER: PartSize = { ...EMPTY, firsts: 1, lasts: 1, canBeEmpty: false };

const ASSERTION: PartSize = { ...EMPTY, assertions: 1, chainedAssertions: 1 };

/** What parentheses, branches and quantifiers add to the states of what they hold. */
const GROUP_STATES = 4;
const BRANCH_STATES = 2;
const QUANTIFIER_STATES = 2;

const MEASURE: PatternReading<PartSize> = {
  characters: () => CHARACTER,
  empty: () => EMPTY,
  assertion: () => ASSERTION,
  backReference: () => CHARACTER,
  concatenate: (parts) => parts.reduce(chain),
  alternate: (branches) => branches.reduce(choose),
  group: (_capture, body) => ({ ...body, states: body.states + GROUP_STATES }),
  repeat: measureRepetition,
  look: (_direction, _negated, body) => measureLook(body),
};

/** A lookaround is laid out on its own, and is one assertion more than it holds where it stands. */
function measureLook(body: PartSize): PartSize {
  const assertions = body.assertions + 1;
  return { ...EMPTY, states: body.states, paths: body.paths, assertions, chainedAssertions: assertions };
}

function chain(left: PartSize, right: PartSize): PartSize {
  const assertions = cap(left.chainedAssertions + right.chainedAssertions);
  return {
    states: cap(left.states + right.states),
    paths: cap(left.paths + right.paths + left.lasts * right.firsts),
    firsts: cap(left.firsts + (left.canBeEmpty ? right.firsts : 0)),
    lasts: cap(right.lasts + (right.canBeEmpty ? left.lasts : 0)),
    canBeEmpty: left.canBeEmpty && right.canBeEmpty,
    assertions,
    chainedAssertions: assertions,
  };
}

function choose(left: PartSize, right: PartSize): PartSize {
  return {
    states: cap(left.states + right.states + BRANCH_STATES),
    paths: cap(left.paths + right.paths),
    firsts: cap(left.firsts + right.firsts),
    lasts: cap(left.lasts + right.lasts),
    canBeEmpty: left.canBeEmpty || right.canBeEmpty,
    assertions: Math.max(left.assertions, right.assertions),
    chainedAssertions: cap(left.chainedAssertions + right.chainedAssertions),
  };
}

/** As PostgreSQL writes it out: `x{2,4}` is `((x)?x)?xx`, and `x{2,}` is `x+x`. */
function measureRepetition(min: number, max: number, body: PartSize): PartSize {
  // What `{0}` cancels is laid out all the same before it is dropped.
  if (max === 0) return { ...EMPTY, states: body.states, paths: body.paths };
  const isLoop = max === Number.POSITIVE_INFINITY;
  const copies = isLoop ? Math.max(min, 1) : max;
  const optional = isLoop ? 0 : max - Math.max(min, 1);
  let size = isLoop ? { ...body, paths: cap(body.paths + body.lasts * body.firsts) } : body;
  for (let copy = 1; copy < copies; copy += 1) {
    size = chain(copy <= optional ? { ...size, canBeEmpty: true } : size, body);
  }
  const assertions = cap(body.chainedAssertions * (isLoop ? copies + 1 : copies));
  return {
    ...size,
    states: cap(size.states + QUANTIFIER_STATES),
    canBeEmpty: min === 0 || size.canBeEmpty,
    assertions: max === 1 ? body.assertions : assertions,
    chainedAssertions: assertions,
  };
}

function cap(size: number): number {
  return Math.min(size, 1e9);
}
