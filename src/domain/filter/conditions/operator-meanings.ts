/**
 * The value and predicate of each positive operator, by field type (Contract: §4). Negative operators are complements.
 */
import type { CORE_FIELDS, PatchFieldKey, SoftwareFieldKey } from '#domain/filter/catalog/core-fields.ts';
import type { FilterField, InnerField, ValueField } from '#domain/filter/catalog/field-catalog.ts';
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { FieldType, OPERATORS_BY_TYPE } from '#domain/filter/catalog/operator-matrix.ts';
import {
  BOOLEAN,
  DATE,
  describe,
  NUMBER,
  oneOf,
  type Scalar,
  TEXT,
  UUID,
  VERSION,
} from '#domain/filter/values/parse-scalar.ts';
import {
  fault,
  listOf,
  mapped,
  rangeOf,
  SPAN,
  single,
  type ValueParser,
} from '#domain/filter/values/parse-value.ts';
import type { Bounds, InstantRange } from '#domain/filter/values/ranges.ts';
import { err, ok } from '#domain/result.ts';
import { compareCodePoints, countCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type {
  InnerPredicate,
  ListPredicate,
  NamePredicate,
  Predicate,
  TextLike,
  TextPosition,
  TextPredicate,
  ValuePredicate,
} from './predicate.ts';

/** Each device matches exactly one operator of a pair (Contract: §4, the law). */
export const COMPLEMENTS = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
  notWithinLast: 'withinLast',
  isNull: 'isNotNull',
  isNotEmpty: 'isEmpty',
} as const satisfies Partial<Record<Operator, Operator>>;

/** In code points (Contract: §4). */
const MAX_PATTERN_LENGTH = 1000;

type Meaning<P> = ValueParser<P> | { readonly takes: null; readonly predicate: P };

type Meanings<P> = Readonly<Partial<Record<Operator, Meaning<P>>>>;

type Positive<O> = Exclude<O, keyof typeof COMPLEMENTS>;
type MeaningsOf<T extends FieldType, P> = Readonly<
  Record<Positive<(typeof OPERATORS_BY_TYPE)[T][number]>, Meaning<P>>
>;

export function meaningsOf(field: FilterField): Meanings<Predicate> {
  switch (field.reads) {
    case 'value':
      return valueMeanings(field);
    case 'rows':
      return TEXT_MEANINGS;
    case 'list':
      return LIST_MEANINGS;
    case 'versions':
      return VERSIONS;
    case 'software':
    case 'patches':
      return NAME_MEANINGS;
    case 'filter':
      return innerMeanings(field);
  }
}

function valueMeanings({ category, type, isUuid, values }: ValueField): Meanings<ValuePredicate> {
  if (category === 'computed') return ELAPSED_DAYS;
  if (isUuid) return IDS;
  return type === 'enum' ? membership(oneOf(values ?? [])) : MEANINGS_BY_TYPE[type];
}

function innerMeanings({ inner }: InnerField): MeaningsOf<'enum', InnerPredicate> {
  if (inner === null) {
    const unknown = (ids: readonly string[]): InnerPredicate => {
      return { kind: 'matchesAny', filters: ids.length === 0 ? [] : null };
    };
    return { equals: mapped(single(UUID), (id) => unknown([id])), in: mapped(listOf(UUID), unknown) };
  }
  const filter: Scalar<InnerFilter> = {
    one: 'the id of a saved filter in reach',
    many: 'ids of saved filters in reach',
    parse(value) {
      const id = UUID.parse(value);
      const known = id.ok ? inner.get(id.value) : undefined;
      return known ?? err(`must be ${filter.one}, not ${describe(value)}`);
    },
  };
  const anyOf = (filters: readonly InnerFilter[]): InnerPredicate => {
    return { kind: 'matchesAny', filters: [...new Set(filters)] };
  };
  return { equals: mapped(single(filter), (one) => anyOf([one])), in: mapped(listOf(filter), anyOf) };
}

const LIST_MEANINGS: MeaningsOf<'array', ListPredicate> = {
  contains: mapped(single(TEXT), (text) => ({ kind: 'hasAny', values: new Set([text]) })),
  hasAny: mapped(listOf(TEXT), (texts) => ({ kind: 'hasAny', values: new Set(texts) })),
  hasAll: mapped(listOf(TEXT), (texts) => ({ kind: 'hasAll', values: new Set(texts) })),
  isEmpty: { takes: null, predicate: { kind: 'empty' } },
};

/** `software.notInstalled` negates these meanings. */
const NAME_MEANINGS: Readonly<
  Record<
    Positive<(typeof CORE_FIELDS)[SoftwareFieldKey | PatchFieldKey]['operators'][number]>,
    Meaning<NamePredicate>
  >
> = {
  contains: textLike('anywhere'),
  equals: mapped(single(TEXT), (text) => namedAny([text])),
  in: mapped(listOf(TEXT), namedAny),
  hasAny: mapped(listOf(TEXT), namedAny),
  hasAll: mapped(listOf(TEXT), (texts) => ({ kind: 'hasAllFolded', values: new Set(texts.map(foldCase)) })),
};

const IS_PRESENT: Meaning<TextPredicate> = { takes: null, predicate: { kind: 'present' } };

const TEXT_MEANINGS: MeaningsOf<'string', TextPredicate> = {
  ...membership(TEXT),
  contains: textLike('anywhere'),
  startsWith: textLike('start'),
  endsWith: textLike('end'),
  matches: pattern(),
  isNotNull: IS_PRESENT,
};

const IDS = membership(UUID);

const BOOLEANS: MeaningsOf<'boolean', ValuePredicate> = {
  equals: mapped(single(BOOLEAN), (value) => ({ kind: 'booleanIs', value })),
  isNotNull: IS_PRESENT,
};

const compareNumbers = (a: number, b: number) => a - b;

const NUMBERS = comparisons(
  NUMBER,
  compareNumbers,
  (number) => ({ kind: 'numberIn', values: new Set([number]) }),
  (range) => ({ kind: 'numberRange', range }),
);

const VERSIONS: MeaningsOf<'version', ValuePredicate> = {
  ...membership(VERSION),
  ...comparisons(
    VERSION,
    compareCodePoints,
    (key) => ({ kind: 'textIn', values: new Set([key]) }),
    (range) => ({ kind: 'versionRange', range }),
  ),
};

const ELAPSED_DAYS = comparisons(
  NUMBER,
  compareNumbers,
  (days) => ({ kind: 'elapsedDaysIn', values: new Set([days]) }),
  (range) => ({ kind: 'elapsedDaysRange', range }),
);

const INSTANTS: MeaningsOf<'datetime', ValuePredicate> = {
  equals: mapped(single(DATE), ({ from, to }) => instantIn({ from, to })),
  before: mapped(single(DATE), ({ from }) => instantIn({ from: null, to: from })),
  after: mapped(single(DATE), ({ to }) => instantIn({ from: to, to: null })),
  between: mapped(
    rangeOf(DATE, (from, to) => (from.from >= to.to ? 'must not be after value.to' : null)),
    ([from, to]) => instantIn({ from: from.from, to: to.to }),
  ),
  withinLast: mapped(SPAN, (span) => ({ kind: 'withinLast', span })),
  isNotNull: IS_PRESENT,
};

const MEANINGS_BY_TYPE: Readonly<Record<Exclude<ValueField['type'], 'enum'>, Meanings<ValuePredicate>>> = {
  string: TEXT_MEANINGS,
  boolean: BOOLEANS,
  number: NUMBERS,
  datetime: INSTANTS,
  version: VERSIONS,
};

function membership(scalar: Scalar<string>): MeaningsOf<'enum', TextPredicate> {
  return {
    equals: mapped(single(scalar), (text) => ({ kind: 'textIn', values: new Set([text]) })),
    in: mapped(listOf(scalar), (texts) => ({ kind: 'textIn', values: new Set(texts) })),
  };
}

function textLike(position: TextPosition): ValueParser<TextLike> {
  return mapped(single(TEXT), (text) => ({ kind: 'textLike', position, folded: foldCase(text) }));
}

function pattern(): ValueParser<TextPredicate> {
  const text = single(TEXT);
  return {
    takes: 'a regular expression',
    parse(value) {
      const parsed = text.parse(value);
      if (!parsed.ok) return parsed;
      const length = countCodePoints(parsed.value);
      return length > MAX_PATTERN_LENGTH
        ? fault(
            'value',
            'invalid_pattern',
            `The regular expression has ${length} characters. At most ${MAX_PATTERN_LENGTH} are allowed.`,
          )
        : ok({ kind: 'pattern', pattern: parsed.value });
    },
  };
}

function comparisons<T>(
  scalar: Scalar<T>,
  compare: (a: T, b: T) => number,
  isOne: (value: T) => ValuePredicate,
  isIn: (range: Bounds<T>) => ValuePredicate,
): MeaningsOf<'number', ValuePredicate> {
  const above = (isMinIncluded: boolean) =>
    mapped(single(scalar), (min) => isIn({ min, isMinIncluded, max: null, isMaxIncluded: false }));
  const below = (isMaxIncluded: boolean) =>
    mapped(single(scalar), (max) => isIn({ min: null, isMinIncluded: false, max, isMaxIncluded }));
  return {
    equals: mapped(single(scalar), isOne),
    greaterThan: above(false),
    greaterThanOrEquals: above(true),
    lessThan: below(false),
    lessThanOrEquals: below(true),
    between: mapped(
      rangeOf(scalar, (from, to) => (compare(from, to) > 0 ? 'must not be greater than value.to' : null)),
      ([min, max]) => isIn({ min, isMinIncluded: true, max, isMaxIncluded: true }),
    ),
    isNotNull: IS_PRESENT,
  };
}

function namedAny(texts: readonly string[]): NamePredicate {
  return { kind: 'foldedTextIn', values: new Set(texts.map(foldCase)) };
}

function instantIn(range: InstantRange): ValuePredicate {
  return { kind: 'instantIn', ranges: [range] };
}
