/** Refuses patterns so large that PostgreSQL might call them too complex, or that would cost too much here. */

import { type PatternItem, type PatternReading, readPattern } from './pattern-item.ts';
import { type PatternRefusal, untranslatablePattern } from './pattern-refusal.ts';

/**
 * Single-character steps, once every repetition is written out. PostgreSQL 18 runs out of stack at some
 * 43,000 (`(?:a{255}){170}`) [measured].
 */
const MAX_STEPS = 10_000;

/**
 * Ways to go from one such step to a next one. PostgreSQL 18 gives up, or takes seconds, from some
 * 570,000 (`(\w{0,84}\s*){84}`) [measured].
 */
const MAX_PATHS = 100_000;

/**
 * Assertions that can meet in one place, once every repetition is written out: their combinations
 * multiply in PostgreSQL 18, which calls eighteen `\y` in a row too complex [measured].
 */
const MAX_ASSERTIONS = 12;

/** A refusal of the pattern, or undefined where its size is safe. Takes linear time. */
export function refuseOversize(items: readonly PatternItem[]): PatternRefusal | undefined {
  const size = readPattern(items, MEASURE);
  if (size.steps > MAX_STEPS || size.paths > MAX_PATHS) {
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
  readonly steps: number;
  readonly paths: number;
  /** Steps that can be the first, and the last, of a match of the part. */
  readonly firsts: number;
  readonly lasts: number;
  readonly canBeEmpty: boolean;
  /** In the branch that has most; what matters where the part is all there is. */
  readonly assertions: number;
  /** In all branches; what matters where the part is one of several in a row. */
  readonly chainedAssertions: number;
}

const EMPTY: PartSize = {
  steps: 0,
  paths: 0,
  firsts: 0,
  lasts: 0,
  canBeEmpty: true,
  assertions: 0,
  chainedAssertions: 0,
};

const STEP: PartSize = { ...EMPTY, steps: 1, firsts: 1, lasts: 1, canBeEmpty: false };

const ASSERTION: PartSize = { ...EMPTY, assertions: 1, chainedAssertions: 1 };

const CAP = 1e9;

const MEASURE: PatternReading<PartSize> = {
  characters: () => STEP,
  empty: () => EMPTY,
  assertion: () => ASSERTION,
  backReference: () => STEP,
  concatenate: (parts) => parts.reduce(chain),
  alternate: (branches) => branches.reduce(choose),
  capture: (_group, body) => body,
  repeat: measureRepetition,
  look: (_direction, _negated, body) => measureLook(body),
};

function chain(left: PartSize, right: PartSize): PartSize {
  const chained = left.chainedAssertions + right.chainedAssertions;
  return {
    steps: Math.min(CAP, left.steps + right.steps),
    paths: Math.min(CAP, left.paths + right.paths + left.lasts * right.firsts),
    firsts: Math.min(CAP, left.firsts + (left.canBeEmpty ? right.firsts : 0)),
    lasts: Math.min(CAP, right.lasts + (right.canBeEmpty ? left.lasts : 0)),
    canBeEmpty: left.canBeEmpty && right.canBeEmpty,
    assertions: chained,
    chainedAssertions: chained,
  };
}

function choose(left: PartSize, right: PartSize): PartSize {
  return {
    steps: Math.min(CAP, left.steps + right.steps),
    paths: Math.min(CAP, left.paths + right.paths),
    firsts: Math.min(CAP, left.firsts + right.firsts),
    lasts: Math.min(CAP, left.lasts + right.lasts),
    canBeEmpty: left.canBeEmpty || right.canBeEmpty,
    assertions: Math.max(left.assertions, right.assertions),
    chainedAssertions: left.chainedAssertions + right.chainedAssertions,
  };
}

/** As PostgreSQL writes it out: `x{2,4}` is `((x)?x)?xx`, and `x{2,}` is `x+x`. */
function measureRepetition(min: number, max: number, body: PartSize): PartSize {
  if (max === 1) return { ...body, canBeEmpty: true };
  const isLoop = max === Number.POSITIVE_INFINITY;
  let size = isLoop ? { ...body, paths: Math.min(CAP, body.paths + body.lasts * body.firsts) } : body;
  const copies = isLoop ? Math.max(min, 1) : max;
  for (let copy = 1; copy < copies; copy += 1) {
    const isOptionalSoFar = !isLoop && copy <= max - Math.max(min, 1);
    size = chain(isOptionalSoFar ? { ...size, canBeEmpty: true } : size, body);
  }
  const assertions = Math.min(CAP, body.chainedAssertions * (isLoop ? copies + 1 : copies));
  return { ...size, canBeEmpty: min === 0 || size.canBeEmpty, assertions, chainedAssertions: assertions };
}

/** A lookaround is laid out on its own, and is an assertion where it stands. */
function measureLook(body: PartSize): PartSize {
  const assertions = Math.max(1, body.assertions);
  return { ...EMPTY, steps: body.steps, paths: body.paths, assertions, chainedAssertions: assertions };
}
