/**
 * From operator and value to the question that is asked of the field: the one place that knows what each of the
 * 24 operators means on each type of field (Contract: §4).
 */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { COMPLEMENTS, type Operator, VALUE_SHAPES } from '#domain/filter/catalog/operator.ts';
import type { InstantRange } from '#domain/filter/values/instant-range.ts';
import type { NumberRange } from '#domain/filter/values/number-range.ts';
import {
  parseBoolean,
  parseDate,
  parseEnumValue,
  parseNumber,
  parseText,
} from '#domain/filter/values/parse-scalar.ts';
import {
  EXPECTED,
  fault,
  invalid,
  outOfOrder,
  parseBounds,
  parseList,
  parseSpan,
  parseUuid,
  parseValue,
  type ValueFault,
} from '#domain/filter/values/parse-value.ts';
import { ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { Predicate, TextPosition } from './predicate.ts';

/** Contract: §4. Code points. */
export const MAX_PATTERN_LENGTH = 1000;

export interface Question {
  readonly predicate: Predicate;
  readonly isNegated: boolean;
}

/** The question that an allowed operator asks with this value, or everything that is wrong with the value. */
export function understandCondition(
  field: FilterField,
  operator: Operator,
  value: unknown,
): Result<Question, readonly ValueFault[]> {
  const shape = VALUE_SHAPES[operator];
  if (shape === 'none') return understandWithout(operator, value);
  if (value === undefined) {
    return fault('value', 'value_required', `${operator} needs a value: ${EXPECTED[shape]}`);
  }
  if (value === null) return fault('value', 'invalid_value', nullMessage(field, operator));
  const base: Operator =
    operator in COMPLEMENTS ? COMPLEMENTS[operator as keyof typeof COMPLEMENTS] : operator;
  const isNegated = base !== operator;
  if (field.source.kind === 'core') {
    const { key } = field.source;
    if (key === 'software.installed') return understandSoftware(base, value, isNegated);
    if (key === 'software.notInstalled') return understandNotInstalled(base, value);
    if (key === 'daysSinceLastSeen' || key === 'daysSinceEnrolled') {
      return negate(isNegated, understandElapsed(base, value));
    }
  }
  switch (field.type) {
    case 'string':
      return negate(isNegated, understandText(field, base, value));
    case 'enum':
      return negate(isNegated, understandEnum(field, base, value));
    case 'boolean':
      return negate(isNegated, understandBoolean(value));
    case 'number':
      return negate(isNegated, understandNumber(base, value));
    case 'datetime':
      return negate(isNegated, understandDatetime(base, value));
    case 'array':
      return negate(isNegated, understandArray(base, value));
  }
}

type Understood = Result<Predicate, readonly ValueFault[]>;

function understandWithout(operator: Operator, value: unknown): Result<Question, readonly ValueFault[]> {
  if (value !== undefined && value !== null) {
    return fault('value', 'value_not_allowed', `${operator} takes no value; leave value out`);
  }
  switch (operator) {
    case 'isNull':
      return ok({ predicate: { kind: 'present' }, isNegated: true });
    case 'isNotNull':
      return ok({ predicate: { kind: 'present' }, isNegated: false });
    case 'isEmpty':
      return ok({ predicate: { kind: 'empty' }, isNegated: false });
    case 'isNotEmpty':
      return ok({ predicate: { kind: 'empty' }, isNegated: true });
    default:
      throw new Error(`${operator} takes a value`);
  }
}

function understandText(field: FilterField, operator: Operator, value: unknown): Understood {
  if (operator === 'in') {
    return map(parseList(value, field.isUuid ? parseUuid : parseText), (values) => textIn(values));
  }
  if (operator === 'equals') {
    return map(parseValue(value, field.isUuid ? parseUuid : parseText), (text) => textIn([text]));
  }
  if (operator === 'matches') return understandPattern(value);
  const position = TEXT_POSITIONS[operator];
  if (position === undefined) throw new Error(`${operator} on a string field`);
  return map(parseValue(value, parseText), (text) => ({
    kind: 'textLike',
    position,
    folded: foldCase(text),
  }));
}

const TEXT_POSITIONS: Partial<Record<Operator, TextPosition>> = {
  contains: 'anywhere',
  startsWith: 'start',
  endsWith: 'end',
};

function understandPattern(value: unknown): Understood {
  const pattern = parseText(value);
  if (!pattern.ok) return invalid('value', pattern.error);
  const length = countCodePoints(pattern.value);
  if (length > MAX_PATTERN_LENGTH) {
    return fault(
      'value',
      'invalid_pattern',
      `a regular expression has at most ${MAX_PATTERN_LENGTH} characters; this one has ${length}`,
    );
  }
  return ok({ kind: 'pattern', pattern: pattern.value });
}

function understandEnum(field: FilterField, operator: Operator, value: unknown): Understood {
  const parse = (element: unknown) => parseEnumValue(element, field.values ?? []);
  return operator === 'in'
    ? map(parseList(value, parse), textIn)
    : map(parseValue(value, parse), (text) => textIn([text]));
}

function understandBoolean(value: unknown): Understood {
  return map(parseValue(value, parseBoolean), (boolean) => ({ kind: 'booleanIs', value: boolean }));
}

function understandNumber(operator: Operator, value: unknown): Understood {
  return operator === 'equals'
    ? map(parseValue(value, parseNumber), (number) => ({ kind: 'numberIn', values: new Set([number]) }))
    : map(parseNumberRange(operator, value), (range) => ({ kind: 'numberRange', range }));
}

function understandElapsed(operator: Operator, value: unknown): Understood {
  return operator === 'equals'
    ? map(parseValue(value, parseNumber), (days) => ({ kind: 'elapsedDaysIn', values: new Set([days]) }))
    : map(parseNumberRange(operator, value), (range) => ({ kind: 'elapsedDaysRange', range }));
}

function parseNumberRange(operator: Operator, value: unknown): Result<NumberRange, readonly ValueFault[]> {
  if (operator === 'between') {
    return flatMap(parseBounds(value, parseNumber), ([min, max]) =>
      min > max ? outOfOrder() : ok({ min, isMinIncluded: true, max, isMaxIncluded: true }),
    );
  }
  return map(parseValue(value, parseNumber), (bound): NumberRange => {
    const isMinIncluded = operator === 'greaterThanOrEquals';
    return isMinIncluded || operator === 'greaterThan'
      ? { min: bound, isMinIncluded, max: null, isMaxIncluded: false }
      : { min: null, isMinIncluded: false, max: bound, isMaxIncluded: operator === 'lessThanOrEquals' };
  });
}

function understandDatetime(operator: Operator, value: unknown): Understood {
  if (operator === 'withinLast') return map(parseSpan(value), (span) => ({ kind: 'withinLast', span }));
  if (operator === 'between') {
    return flatMap(parseBounds(value, parseDate), ([from, to]) =>
      from.from >= to.to ? outOfOrder() : ok(instantIn({ from: from.from, to: to.to })),
    );
  }
  return map(parseValue(value, parseDate), (date) => {
    if (operator === 'before') return instantIn({ from: null, to: date.from });
    if (operator === 'after') return instantIn({ from: date.to, to: null });
    return instantIn(date);
  });
}

function understandArray(operator: Operator, value: unknown): Understood {
  if (operator === 'contains') {
    return map(parseValue(value, parseText), (text) => ({ kind: 'hasAny', values: new Set([text]) }));
  }
  return map(parseList(value, parseText), (values) => ({
    kind: operator === 'hasAll' ? 'hasAll' : 'hasAny',
    values: new Set(values),
  }));
}

function understandSoftware(
  operator: Operator,
  value: unknown,
  isNegated: boolean,
): Result<Question, readonly ValueFault[]> {
  if (operator === 'contains') {
    return negate(
      isNegated,
      map(parseValue(value, parseText), (text) => ({
        kind: 'textLike',
        position: 'anywhere',
        folded: foldCase(text),
      })),
    );
  }
  const names =
    operator === 'equals' ? map(parseValue(value, parseText), (text) => [text]) : parseList(value, parseText);
  return negate(
    isNegated,
    map(names, (texts) => ({
      kind: operator === 'hasAll' ? 'hasAllFolded' : 'foldedTextIn',
      values: new Set(texts.map(foldCase)),
    })),
  );
}

/** The complement of installed, except that an empty list matches nothing in both (Contract: §3). */
function understandNotInstalled(operator: Operator, value: unknown): Result<Question, readonly ValueFault[]> {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return understandSoftware(operator, value, !isEmptyList);
}

function textIn(values: readonly string[]): Predicate {
  return { kind: 'textIn', values: new Set(values) };
}

function instantIn(range: InstantRange): Predicate {
  return { kind: 'instantIn', ranges: [range] };
}

function nullMessage(field: FilterField, operator: Operator): string {
  const hint = field.operators.includes('isNull')
    ? '; use isNull or isNotNull to ask whether there is a value'
    : '';
  return `value must be ${EXPECTED[VALUE_SHAPES[operator]]}, not null${hint}`;
}

function map<T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> {
  return result.ok ? ok(change(result.value)) : result;
}

function flatMap<T, U, E>(result: Result<T, E>, change: (value: T) => Result<U, E>): Result<U, E> {
  return result.ok ? change(result.value) : result;
}

function negate(isNegated: boolean, predicate: Understood): Result<Question, readonly ValueFault[]> {
  return map(predicate, (positive) => ({ predicate: positive, isNegated }));
}
