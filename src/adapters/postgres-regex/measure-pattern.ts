/** Refuses patterns that would cost too much here, or that PostgreSQL might call too complex. */
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';
import { type PatternItem, type PatternReading, readPattern, untranslatablePattern } from './pattern-item.ts';

/**
 * Automaton states, with all repetitions written out. PostgreSQL 18 runs out of stack at some 43,000, as in
 * `(?:a{255}){169}` or `(?:(?:a){100}){87}` [measured].
 */
const MAX_STATES = 10_000;

/**
 * Paths between consecutive characters, with all repetitions written out. PostgreSQL 18 gives up or takes
 * many seconds from some 400,000, as in `(?:(?:a*){100}){10}` [measured].
 */
const MAX_PATHS = 50_000;

/**
 * Assertions that meet at one position, with all repetitions written out. Their combinations multiply:
 * PostgreSQL 18 calls `(?:\y|\Y|a){9}` too complex [measured].
 */
const MAX_ASSERTIONS = 12;

/** Each lookaround doubles the combinations that can hold at one position. */
const MAX_LOOKAROUNDS = 12;

/** Undefined if the pattern is small enough. Takes linear time. */
export function refuseOversize(items: readonly PatternItem[]): PatternRefusal | undefined {
  const size = readPattern(items, MEASURE);
  if (size.states > MAX_STATES || size.paths > MAX_PATHS) {
    return untranslatablePattern(
      'repetition count',
      'repetitions that multiply into a very large pattern cannot be evaluated in process',
    );
  }
  if (size.meeting > MAX_ASSERTIONS) {
    return untranslatablePattern(
      'assertion',
      `more than ${MAX_ASSERTIONS} assertions such as \\y, ^ or (?=...) in one place, counting repetitions, cannot be evaluated in process`,
    );
  }
  if (items.filter(({ kind }) => kind === 'look').length > MAX_LOOKAROUNDS) {
    return untranslatablePattern(
      'lookaround',
      `more than ${MAX_LOOKAROUNDS} lookarounds such as (?=...) cannot be evaluated in process`,
    );
  }
  return undefined;
}

interface PartSize {
  readonly states: number;
  readonly paths: number;
  /** How many characters can be the first, and the last, of a match. */
  readonly firsts: number;
  readonly lasts: number;
  readonly canBeEmpty: boolean;
  /** Assertions before the first character, after the last, and the maximum at one position. */
  readonly leading: number;
  readonly trailing: number;
  readonly meeting: number;
}

const EMPTY: PartSize = {
  states: 1,
  paths: 0,
  firsts: 0,
  lasts: 0,
  canBeEmpty: true,
  leading: 0,
  trailing: 0,
  meeting: 0,
};

const CHARACTER: PartSize = { ...EMPTY, firsts: 1, lasts: 1, canBeEmpty: false };

const ASSERTION: PartSize = { ...EMPTY, leading: 1, trailing: 1, meeting: 1 };

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

/** A lookaround counts as one assertion, plus those that meet at one position inside it. */
function measureLook(body: PartSize): PartSize {
  const weight = body.meeting + 1;
  return {
    ...EMPTY,
    states: body.states,
    paths: body.paths,
    leading: weight,
    trailing: weight,
    meeting: weight,
  };
}

function chain(left: PartSize, right: PartSize): PartSize {
  return {
    states: cap(left.states + right.states),
    paths: cap(left.paths + right.paths + left.lasts * right.firsts),
    firsts: cap(left.firsts + (left.canBeEmpty ? right.firsts : 0)),
    lasts: cap(right.lasts + (right.canBeEmpty ? left.lasts : 0)),
    canBeEmpty: left.canBeEmpty && right.canBeEmpty,
    leading: cap(left.leading + (left.canBeEmpty ? right.leading : 0)),
    trailing: cap(right.trailing + (right.canBeEmpty ? left.trailing : 0)),
    meeting: cap(Math.max(left.meeting, right.meeting, left.trailing + right.leading)),
  };
}

function choose(left: PartSize, right: PartSize): PartSize {
  // Assertions of the branches add up only if both branches can be empty. Otherwise the larger number counts.
  const add = left.canBeEmpty && right.canBeEmpty ? (a: number, b: number) => cap(a + b) : Math.max;
  const leading = add(left.leading, right.leading);
  const trailing = add(left.trailing, right.trailing);
  return {
    states: cap(left.states + right.states + BRANCH_STATES),
    paths: cap(left.paths + right.paths),
    firsts: cap(left.firsts + right.firsts),
    lasts: cap(left.lasts + right.lasts),
    canBeEmpty: left.canBeEmpty || right.canBeEmpty,
    leading,
    trailing,
    meeting: Math.max(left.meeting, right.meeting, leading, trailing),
  };
}

/** PostgreSQL writes `x{2,4}` as `((x)?x)?xx`, and `x{2,}` as `x+x`. */
function measureRepetition(min: number, max: number, body: PartSize): PartSize {
  // PostgreSQL builds the body of `x{0}` before dropping it, so its size counts.
  if (max === 0) return { ...EMPTY, states: body.states, paths: body.paths };
  const isLoop = max === Number.POSITIVE_INFINITY;
  const copies = isLoop ? Math.max(min, 1) : max;
  const optional = isLoop ? 0 : max - Math.max(min, 1);
  let size = isLoop ? measureLoop(body) : body;
  for (let copy = 1; copy < copies; copy += 1) {
    size = chain(copy <= optional ? { ...size, canBeEmpty: true } : size, body);
  }
  return { ...size, states: cap(size.states + QUANTIFIER_STATES), canBeEmpty: min === 0 || size.canBeEmpty };
}

function measureLoop(body: PartSize): PartSize {
  const rounds = body.canBeEmpty ? 2 : 1;
  return {
    ...body,
    paths: cap(body.paths + body.lasts * body.firsts),
    leading: cap(body.leading * rounds),
    trailing: cap(body.trailing * rounds),
    meeting: cap(Math.max(body.meeting, body.trailing + body.leading)),
  };
}

function cap(size: number): number {
  return Math.min(size, 1e9);
}
