/** Numbers, versions, dates, ranges and spans of time (Contract: §11). */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { LeafJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { anyOf, negateLeaf } from '#domain/filter/text/print/negate-leaf.ts';
import type { Place, ReportFault } from '#domain/filter/text/text-fault.ts';
import { printKey, type Sign, UNIT_SUFFIXES, unitOf } from '#domain/filter/text/text-keys.ts';
import { describe, NUMBER } from '#domain/filter/values/parse-scalar.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { onlyWord, type ScannedValue, type ScannedWord, type Term } from './term.ts';

type Comparison = Exclude<Sign, '='>;

export function readComparison(field: FilterField, value: ScannedValue, report: ReportFault): Term | null {
  const word = onlyWord(value);
  if (value.sign === '' && !word.isQuoted && word.text.includes('..')) return readRange(field, word, report);
  if (
    field.type === 'datetime' &&
    !word.isQuoted &&
    (value.sign === '' || value.sign === '<' || value.sign === '>')
  ) {
    const span = SPAN.exec(word.text);
    if (span !== null) return readSpan(field, value, span, report);
  }
  const bound = toBound(field, word.text);
  if (value.sign === '' || value.sign === '=') {
    return oneLeaf(field, { field: field.key, operator: 'equals', value: bound }, value);
  }
  return comparison(field, value.sign, bound, value);
}

/** Matches any letters, so that a wrong unit is reported as a unit. */
const SPAN = /^(-?[0-9]+(?:\.[0-9]+)?)([a-zA-Z]+)$/;

function readRange(field: FilterField, word: ScannedWord, report: ReportFault): Term | null {
  const gap = word.text.indexOf('..');
  const first = word.text.slice(0, gap);
  const last = word.text.slice(gap + 2);
  if (first === '' || last === '') {
    report(word, 'value_required', 'A range needs both ends. For an open range, use >= or <=.', [
      first === '' ? `<=${last}` : `>=${first}`,
    ]);
    return null;
  }
  const [from, to] = [toBound(field, first), toBound(field, last)];
  const leaf: LeafJson = { field: field.key, operator: 'between', value: { from, to } };
  const places: Readonly<Record<string, Place>> = {
    'value.from': { start: word.start, end: word.start + gap },
    'value.to': { start: word.start + gap + 2, end: word.end },
  };
  return {
    checked: [{ leaf, placeOf: (member) => places[member] ?? word }],
    whenTrue: () => leaf,
    whenFalse: () => restOf(field, [...compare(field, '<', from), ...compare(field, '>', to)]),
  };
}

/**
 * The opposite of a comparison: one of `leaves` holds, or there is no value. Null for versions, because a
 * device may have versions on both sides of the bound.
 */
function restOf(field: FilterField, leaves: readonly LeafJson[]): NodeJson | null {
  return field.reads === 'versions' ? null : anyOf([...leaves, { field: field.key, operator: 'isNull' }]);
}

/** `7d` and `<7d` are within the last 7 days, `>7d` is not. */
function readSpan(
  field: FilterField,
  value: ScannedValue,
  [, amount = '', suffix = '']: RegExpExecArray,
  report: ReportFault,
): Term | null {
  const unit = unitOf(suffix);
  if (unit === null) {
    const suffixes = Object.values(UNIT_SUFFIXES);
    const begun = suffixes.filter((known) => known.startsWith(suffix.toLowerCase()));
    const near = nearestWord(suffix, suffixes);
    const meant = begun.length > 0 || near === null ? begun : [near];
    report(
      value,
      'invalid_value',
      `No unit of time ${describe(suffix)}. Use ${suffixes.join(', ')}. Example: ${printKey(field.key)}:7d`,
      meant.map((known) => `${value.sign}${amount}${known}`),
    );
    return null;
  }
  const operator = value.sign === '>' ? 'notWithinLast' : 'withinLast';
  return oneLeaf(field, { field: field.key, operator, value: { amount: Number(amount), unit } }, value);
}

function oneLeaf(field: FilterField, leaf: LeafJson, place: Place): Term {
  return {
    checked: [{ leaf, placeOf: () => place }],
    whenTrue: () => leaf,
    whenFalse: () => negateLeaf(field, leaf),
  };
}

function comparison(field: FilterField, sign: Comparison, bound: unknown, place: Place): Term {
  const leaves = compare(field, sign, bound);
  return {
    // Only the first leaf is checked, because a second one has the same value.
    checked: leaves.slice(0, 1).map((leaf) => ({ leaf, placeOf: () => place })),
    whenTrue: () => anyOf(leaves),
    whenFalse: () => restOf(field, compare(field, REST_OF[sign], bound)),
  };
}

/** Dates have no operator for "on or before", so they get two leaves, of which one must hold. */
function compare(field: FilterField, sign: Comparison, bound: unknown): readonly LeafJson[] {
  const operators = field.type === 'datetime' ? DATE_OPERATORS[sign] : ORDER_OPERATORS[sign];
  return operators.map((operator) => ({ field: field.key, operator, value: bound }));
}

const ORDER_OPERATORS: Readonly<Record<Comparison, readonly Operator[]>> = {
  '<': ['lessThan'],
  '<=': ['lessThanOrEquals'],
  '>': ['greaterThan'],
  '>=': ['greaterThanOrEquals'],
};

const DATE_OPERATORS: Readonly<Record<Comparison, readonly Operator[]>> = {
  '<': ['before'],
  '<=': ['before', 'equals'],
  '>': ['after'],
  '>=': ['after', 'equals'],
};

const REST_OF: Readonly<Record<Comparison, Comparison>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** Text that is no number stays text, so the field refuses it. */
function toBound(field: FilterField, text: string): number | string {
  const number = field.type === 'number' ? NUMBER.parse(text) : null;
  return number?.ok ? number.value : text;
}
