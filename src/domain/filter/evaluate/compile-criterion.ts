/**
 * One test of a filter as a function over devices: what each predicate means, in process. Each predicate becomes
 * one function that reads the value and decides; a function more for every test would be half of what it costs.
 */
import { assertNever } from '#domain/assert-never.ts';
import type { Device } from '#domain/device/device.ts';
import type { Criterion } from '#domain/filter/conditions/condition.ts';
import type { Predicate, TextPosition } from '#domain/filter/conditions/predicate.ts';
import { type InstantRange, isWithin } from '#domain/filter/values/instant-range.ts';
import { isInRange, type NumberRange } from '#domain/filter/values/number-range.ts';
import { type RelativePredicate, rangesAt } from '#domain/filter/values/relative-instants.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import {
  containsFolded,
  endsWithFolded,
  startsWithFolded,
  type TextTest,
} from '#domain/text/match-folded.ts';
import type { EpochMs } from '#domain/time.ts';
import { readerOf } from './read-field.ts';

export type DeviceTest = (device: Device, at: EpochMs) => boolean;

type Value = string | number | boolean | null;

/** Takes the value that a test is about out of what it is asked about. */
type Read<T> = (from: T) => Value;

/** Whether what the value is taken from fulfils a predicate. `at` is the instant of evaluation. */
type ValueTest<T> = (from: T, at: EpochMs) => boolean;

/** Compiles patterns; it is asked for each pattern once. */
export type PatternCompiler = (pattern: string) => (text: string) => boolean;

export function compileCriterion(
  { field, predicate, isNegated }: Criterion,
  compilePattern: PatternCompiler,
): DeviceTest {
  const test = compilePositive(field, predicate, compilePattern);
  return isNegated ? (device, at) => !test(device, at) : test;
}

function compilePositive(
  field: Criterion['field'],
  predicate: Predicate,
  compilePattern: PatternCompiler,
): DeviceTest {
  const reader = readerOf(field);
  if (reader.kind === 'single') return compileValueTest(reader.read, predicate, compilePattern);
  if (reader.kind === 'list') return compileListTest(reader.read, predicate);
  const { read } = reader;
  if (predicate.kind === 'hasAllFolded') {
    const needed = predicate.values;
    return (device) => needed.isSubsetOf(new Set(read(device).map((row) => foldCase(String(row)))));
  }
  const test = compileValueTest<Value>((row) => row, predicate, compilePattern);
  return (device, at) => {
    for (const row of read(device)) if (test(row, at)) return true;
    return false;
  };
}

function compileListTest(read: (device: Device) => readonly string[], predicate: Predicate): DeviceTest {
  switch (predicate.kind) {
    case 'hasAny': {
      const { values } = predicate;
      return (device) => {
        for (const element of read(device)) if (values.has(element)) return true;
        return false;
      };
    }
    case 'hasAll': {
      const values = [...predicate.values];
      return (device) => {
        const list = read(device);
        return values.every((value) => list.includes(value));
      };
    }
    case 'empty':
      return (device) => read(device).length === 0;
    default:
      throw new Error(`${predicate.kind} is no test of a list`);
  }
}

function compileValueTest<T>(
  read: Read<T>,
  predicate: Predicate,
  compilePattern: PatternCompiler,
): ValueTest<T> {
  switch (predicate.kind) {
    case 'present':
      return (from) => read(from) !== null;
    case 'textIn':
    case 'numberIn':
      return compileMembership<T>(read, predicate.values);
    case 'foldedTextIn': {
      const { values } = predicate;
      return compileTextTest(read, (text) => values.has(foldCase(text)));
    }
    case 'textLike':
      return compileTextTest(read, TEXT_TESTS[predicate.position](predicate.folded));
    case 'pattern':
      return compileTextTest(read, compilePattern(predicate.pattern));
    case 'numberRange':
      return compileNumberRange(read, predicate.range);
    case 'booleanIs': {
      const expected = predicate.value;
      return (from) => read(from) === expected;
    }
    case 'instantIn': {
      const { ranges } = predicate;
      return (from) => {
        const value = read(from);
        return value !== null && isWithin(ranges, value as EpochMs);
      };
    }
    case 'withinLast':
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
      return compileRelative(read, predicate);
    case 'hasAny':
    case 'hasAll':
    case 'hasAllFolded':
    case 'empty':
      throw new Error(`${predicate.kind} is no test of a single value`);
    default:
      return assertNever(predicate);
  }
}

function compileMembership<T>(read: Read<T>, values: ReadonlySet<Value>): ValueTest<T> {
  const [only] = values;
  return values.size === 1 && only !== undefined
    ? (from) => read(from) === only
    : (from) => values.has(read(from));
}

function compileTextTest<T>(read: Read<T>, test: TextTest): ValueTest<T> {
  return (from) => {
    const value = read(from);
    return value !== null && test(value as string);
  };
}

const TEXT_TESTS: Record<TextPosition, (folded: string) => TextTest> = {
  anywhere: containsFolded,
  start: startsWithFolded,
  end: endsWithFolded,
};

function compileNumberRange<T>(read: Read<T>, range: NumberRange): ValueTest<T> {
  const { min, isMinIncluded, max, isMaxIncluded } = range;
  // The comparisons with one open end are the most of them.
  if (min !== null && max === null && !isMinIncluded) {
    return (from) => {
      const value = read(from);
      return value !== null && (value as number) > min;
    };
  }
  if (max !== null && min === null && !isMaxIncluded) {
    return (from) => {
      const value = read(from);
      return value !== null && (value as number) < max;
    };
  }
  return (from) => {
    const value = read(from);
    return value !== null && isInRange(range, value as number);
  };
}

/** Predicates that lean on the instant of evaluation: their ranges are worked out once for each instant. */
function compileRelative<T>(read: Read<T>, predicate: RelativePredicate): ValueTest<T> {
  let knownAt = Number.NaN;
  let ranges: readonly InstantRange[] = [];
  return (from, at) => {
    if (at !== knownAt) {
      ranges = rangesAt(predicate, at);
      knownAt = at;
    }
    const value = read(from);
    return value !== null && isWithin(ranges, value as EpochMs);
  };
}
