/**
 * Random values of conditions, each valid for its field and operator. Most are values of a device or almost so, so that
 * both outcomes of a condition are likely.
 */
import fc from 'fast-check';
import type { Device } from '#domain/device/device.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { type Operator, VALUE_SHAPES } from '#domain/filter/catalog/operator.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { compareVersions, hasVersion } from '#test/support/compare-versions.ts';
import { presentValues } from '#test/support/read-values.ts';
import { randomPattern } from './random-patterns.ts';
import {
  dateTextOf,
  EVALUATION_INSTANTS,
  nextNumber,
  randomDateText,
  randomNumber,
  randomSpan,
} from './random-scalars.ts';
import { nearTextOf, randomText, stretchOf, WORDS } from './random-texts.ts';

/** The source of values for the conditions of one field. */
export interface ValueSource {
  readonly field: FilterField;
  /** The distinct values of the devices. */
  readonly held: readonly (string | number | boolean)[];
}

/** Collects the values of the devices in the field. */
export function valueSourceOf(field: FilterField, devices: readonly Device[]): ValueSource {
  if (field.reads === 'filter') return { field, held: [...(field.inner?.keys() ?? [])] };
  return { field, held: [...new Set(devices.flatMap(presentValues(field)))] };
}

/** A value for one of the operators of the field; undefined if the operator takes none. */
export function randomValue(source: ValueSource, operator: Operator): fc.Arbitrary<unknown> {
  const shape = VALUE_SHAPES[operator];
  switch (shape) {
    case 'none':
      return fc.constantFrom(undefined, undefined, null);
    case 'span':
      return randomSpan;
    case 'date':
      return dateText(source);
    case 'range':
      return source.field.type === 'datetime'
        ? inOrder(dateText(source), (text) => parseIsoInstant(text)?.epochMs ?? 0)
        : source.field.type === 'version'
          ? versionRange(source)
          : inOrder(numberValue(source), Number);
    case 'list':
      return listOf(source.field.type === 'version' ? versionText(source) : scalarText(source, operator));
    case 'scalar':
      return scalar(source, operator);
  }
}

function scalar(source: ValueSource, operator: Operator): fc.Arbitrary<unknown> {
  switch (source.field.type) {
    case 'number':
      return numberValue(source);
    case 'version':
      return fc.oneof(
        { weight: 20, arbitrary: versionText(source) },
        { weight: 1, arbitrary: fc.constantFrom(5, 1.5, 0, 2026) },
      );
    case 'boolean':
      return fc.constantFrom(true, false, 'true', 'false');
    case 'datetime':
      return dateText(source);
    case 'string':
      return source.field.isUuid || operator === 'matches'
        ? scalarText(source, operator)
        : fc.oneof(
            { weight: 30, arbitrary: scalarText(source, operator) },
            { weight: 1, arbitrary: fc.constantFrom(5, 1.5, 1e-7, -1, -0, 2026) },
          );
    case 'enum':
    case 'array':
      return scalarText(source, operator);
  }
}

function scalarText({ field, held }: ValueSource, operator: Operator): fc.Arbitrary<string> {
  const texts = held.map(String);
  if (field.values !== null) return fc.constantFrom(...field.values);
  if (field.isUuid) {
    const known = texts.length === 0 ? [UNKNOWN_ID] : texts;
    const ids = [...known, ...known.map((id) => id.toUpperCase())];
    // A condition with an unknown filter would be refused.
    return fc.constantFrom(...ids, ...(field.reads === 'filter' ? [] : [UNKNOWN_ID]));
  }
  const pool = texts.length === 0 ? WORDS : texts;
  if (operator === 'matches') return randomPattern(pool);
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pool) },
    { weight: 3, arbitrary: nearTextOf(pool) },
    { weight: STRETCHED.has(operator) ? 8 : 1, arbitrary: stretchOf(pool) },
    { weight: 2, arbitrary: randomText },
  );
}

/** Operators that search for a part of a text. */
const STRETCHED: ReadonlySet<Operator> = new Set(['contains', 'notContains', 'startsWith', 'endsWith']);

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Lists that are short or empty, or repeat values; some are long. */
function listOf(element: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.array(element, { maxLength: 6 }) },
    {
      weight: 4,
      arbitrary: fc.array(element, { minLength: 1, maxLength: 4 }).map((list) => [...list, ...list]),
    },
    { weight: 1, arbitrary: fc.array(element, { minLength: 90, maxLength: 300, size: 'max' }) },
  );
}

/** Texts that have a version. */
function versionText({ held }: ValueSource): fc.Arbitrary<string> {
  const pool = [...held.map(String).filter(hasVersion), '0', '1.10', '1.9', '1.0-rc1', '10.0.19045'];
  const change = fc.constantFrom('', '.0', '.1', '-rc1', 'a', ' x64', '.0.0.2', '-beta');
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom(...pool), change).map(([text, end]) => text + end) },
    { weight: 1, arbitrary: randomText.map((text) => (hasVersion(text) ? text : `${text}1`)) },
  );
}

function versionRange(source: ValueSource): fc.Arbitrary<{ from: string; to: string }> {
  return fc
    .tuple(versionText(source), versionText(source))
    .map(([a, b]) => (compareVersions(a, b) <= 0 ? { from: a, to: b } : { from: b, to: a }));
}

function numberValue({ field, held }: ValueSource): fc.Arbitrary<number | string> {
  const isElapsed = field.category === 'computed';
  const known = held.length === 0 ? [0] : held.map(Number);
  const near = isElapsed ? elapsedDays(known) : fc.constantFrom(...known);
  const number = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(near, fc.constantFrom(...NUMBER_CHANGES)).map(([value, change]) => change(value)),
    },
    { weight: 2, arbitrary: randomNumber },
  );
  return fc.tuple(number, fc.boolean()).map(([value, isText]) => {
    const safe = Math.min(Math.max(value, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
    return isText && /^-?\d+(\.\d+)?$/.test(String(safe)) ? String(safe) : safe;
  });
}

const NUMBER_CHANGES: readonly ((value: number) => number)[] = [
  (value) => value,
  (value) => value,
  (value) => nextNumber(value, 1),
  (value) => nextNumber(value, -1),
  Math.floor,
  Math.ceil,
  (value) => value + 1,
  (value) => -value,
];

/** The days from instants of devices to instants of evaluation. */
function elapsedDays(instants: readonly EpochMs[]): fc.Arbitrary<number> {
  return fc
    .tuple(fc.constantFrom(...instants), fc.constantFrom(...EVALUATION_INSTANTS))
    .map(([instant, at]) => (at - instant) / DAY_MS);
}

function dateText({ held }: ValueSource): fc.Arbitrary<string> {
  if (held.length === 0) return randomDateText;
  const near = fc
    .tuple(fc.constantFrom(...held.map(Number)), fc.constantFrom(0, 0, 1, -1, DAY_MS, -DAY_MS))
    .map(([instant, step]) => Math.min(Math.max(instant + step, FIRST_INSTANT), LAST_INSTANT));
  return fc.oneof({ weight: 4, arbitrary: dateTextOf(near) }, { weight: 1, arbitrary: randomDateText });
}

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** `{from, to}` of two values, ordered by their rank. */
function inOrder<T>(value: fc.Arbitrary<T>, rank: (value: T) => number): fc.Arbitrary<{ from: T; to: T }> {
  return fc
    .tuple(value, value)
    .map(([a, b]) => (rank(a) <= rank(b) ? { from: a, to: b } : { from: b, to: a }));
}
