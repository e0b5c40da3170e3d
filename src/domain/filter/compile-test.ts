/** One test of a filter as a function over devices: what each predicate means, in process. */
import { assertNever } from '#domain/assert-never.ts';
import type { Device, EpochMs } from '#domain/device/device.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { Test } from './condition.ts';
import { type InstantRange, isWithin } from './instant-range.ts';
import { isInRange } from './number-range.ts';
import type { Predicate, TextPosition } from './predicate.ts';
import { readerOf } from './read-field.ts';
import { type RelativePredicate, rangesAt } from './relative-instants.ts';

export type DeviceTest = (device: Device, at: EpochMs) => boolean;

type Value = string | number | boolean;

/** Whether a present value fulfils a predicate. `at` is the instant of evaluation. */
type ValueTest = (value: Value, at: EpochMs) => boolean;

/** Compiles patterns; it is asked for each pattern once. */
export type PatternCompiler = (pattern: string) => (text: string) => boolean;

export function compileTest(
  { field, predicate, isNegated }: Test,
  compilePattern: PatternCompiler,
): DeviceTest {
  const test = compilePositive(field, predicate, compilePattern);
  return isNegated ? (device, at) => !test(device, at) : test;
}

function compilePositive(
  field: Test['field'],
  predicate: Predicate,
  compilePattern: PatternCompiler,
): DeviceTest {
  const reader = readerOf(field);
  if (reader.kind === 'list') {
    const test = compileListTest(predicate);
    const { read } = reader;
    return (device) => test(read(device));
  }
  if (reader.kind === 'rows') {
    const { read } = reader;
    if (predicate.kind === 'hasAllFolded') {
      const needed = predicate.values;
      return (device) => needed.isSubsetOf(new Set(read(device).map((row) => foldCase(String(row)))));
    }
    const test = compileValueTest(predicate, compilePattern);
    return (device, at) => read(device).some((value) => value !== null && test(value, at));
  }
  const { read } = reader;
  if (predicate.kind === 'textIn' && predicate.values.size === 1) {
    const [only] = predicate.values;
    return (device) => read(device) === only;
  }
  const test = compileValueTest(predicate, compilePattern);
  return (device, at) => {
    const value = read(device);
    return value !== null && test(value, at);
  };
}

function compileListTest(predicate: Predicate): (list: readonly string[]) => boolean {
  switch (predicate.kind) {
    case 'hasAny': {
      const { values } = predicate;
      return (list) => {
        for (const element of list) if (values.has(element)) return true;
        return false;
      };
    }
    case 'hasAll': {
      const values = [...predicate.values];
      return (list) => values.every((value) => list.includes(value));
    }
    case 'empty':
      return (list) => list.length === 0;
    default:
      throw new Error(`${predicate.kind} is no test of a list`);
  }
}

function compileValueTest(predicate: Predicate, compilePattern: PatternCompiler): ValueTest {
  switch (predicate.kind) {
    case 'present':
      return () => true;
    case 'textIn': {
      const values: ReadonlySet<Value> = predicate.values;
      return (value) => values.has(value);
    }
    case 'foldedTextIn': {
      const { values } = predicate;
      return (value) => values.has(foldCase(String(value)));
    }
    case 'textLike':
      return TEXT_TESTS[predicate.position](predicate.folded);
    case 'pattern': {
      const matches = compilePattern(predicate.pattern);
      return (value) => matches(String(value));
    }
    case 'numberIn': {
      const values: ReadonlySet<Value> = predicate.values;
      return (value) => values.has(value);
    }
    case 'numberRange': {
      const { range } = predicate;
      return (value) => isInRange(range, Number(value));
    }
    case 'booleanIs': {
      const expected = predicate.value;
      return (value) => value === expected;
    }
    case 'instantIn': {
      const { ranges } = predicate;
      return (value) => isWithin(ranges, Number(value));
    }
    case 'withinLast':
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
      return compileRelative(predicate);
    case 'hasAny':
    case 'hasAll':
    case 'hasAllFolded':
    case 'empty':
      throw new Error(`${predicate.kind} is no test of a single value`);
    default:
      return assertNever(predicate);
  }
}

/** Predicates that lean on the instant of evaluation: their ranges are worked out once for each instant. */
function compileRelative(predicate: RelativePredicate): ValueTest {
  let knownAt = Number.NaN;
  let ranges: readonly InstantRange[] = [];
  return (value, at) => {
    if (at !== knownAt) {
      ranges = rangesAt(predicate, at);
      knownAt = at;
    }
    return isWithin(ranges, Number(value));
  };
}

const TEXT_TESTS: Record<TextPosition, (folded: string) => ValueTest> = {
  anywhere: (folded) => (value) => foldCase(value as string).includes(folded),
  start: (folded) => (value) => foldCase(value as string).startsWith(folded),
  end: (folded) => (value) => foldCase(value as string).endsWith(folded),
};
