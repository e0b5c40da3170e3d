import { type FieldCatalog, type FilterField, listEntries } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { FieldType } from '#domain/filter/catalog/operator-matrix.ts';
import { keyOfTitle } from '#domain/filter/catalog/title-versions.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { quoteWhereNeeded } from '#domain/filter/text/print/print-condition.ts';
import { aliasesOf, makeKeyFinder, printKey } from '#domain/filter/text/text-keys.ts';

export interface CompletionItem {
  readonly insert: string;
  readonly label: string;
  readonly description: string | null;
}

/** Contract: §11. */
export const MAX_COMPLETIONS = 20;

export function toValueItem(value: string, description: string | null = null): CompletionItem {
  return { insert: quoteWhereNeeded(value, 'element'), label: value, description };
}

export function toTitleItem(name: string, description: string | null = null): CompletionItem {
  return { insert: `${printKey(keyOfTitle(name))}:`, label: name, description };
}

export function mergeItems(
  values: readonly CompletionItem[],
  known: readonly CompletionItem[],
): readonly CompletionItem[] {
  return [...values, ...known].slice(0, MAX_COMPLETIONS);
}

/** First fields whose name begins with the text, then fields whose name contains it; at most 20. */
export function keyItems(catalog: FieldCatalog, typed: string): readonly CompletionItem[] {
  const found = listEntries(catalog).flatMap((entry) => {
    if (entry.kind === 'ambiguous') return [];
    const rank = rankOf(entry.field, typed.toLowerCase());
    return rank === null ? [] : [{ field: entry.field, rank }];
  });
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_COMPLETIONS)
    .map(({ field }) => toKeyItem(field));
}

/** For versions, inserts only `software[`, because the name of a title follows. */
function toKeyItem({ key, label, description, reads }: FilterField): CompletionItem {
  return { insert: reads === 'versions' ? 'software[' : `${printKey(key)}:`, label, description };
}

export function operatorItems({ type, operators }: FilterField): readonly CompletionItem[] {
  return OPERATORS[type]
    .filter(({ operator }) => operators.includes(operator))
    .map(({ insert, label }) => ({ insert, label, description: null }));
}

/** Values that begin with the text; at most 20. */
export function knownValueItems(
  field: FilterField,
  typed: string,
  canBeWord: boolean,
): readonly CompletionItem[] {
  const words = canBeWord ? PRESENCE.filter(({ operator }) => field.operators.includes(operator)) : [];
  const values = field.type === 'boolean' ? ['yes', 'no'] : (field.values ?? []);
  const begun = typed.toLowerCase();
  return [
    ...values.map((value) => toValueItem(value)),
    ...words.map(({ insert, label }) => ({ insert, label, description: null })),
  ]
    .filter(({ insert, label }) => [insert, label].some((text) => text.toLowerCase().startsWith(begun)))
    .slice(0, MAX_COMPLETIONS);
}

/** Whether the text begins a field's name or a word in it. */
export function beginsKey(catalog: FieldCatalog, typed: string): boolean {
  const begun = typed.toLowerCase();
  return [...catalog.values()].some((entry) => {
    const rank = entry.kind === 'field' ? rankOf(entry.field, begun) : null;
    return rank === 0 || rank === 1;
  });
}

/** Lower is better; null if no name contains the text. */
function rankOf({ key, label }: FilterField, typed: string): number | null {
  const names = [key, ...aliasesOf(key)].map((name) => name.toLowerCase());
  const words = [...key.toLowerCase().split('.'), ...label.toLowerCase().split(' ')];
  if (names.some((name) => name.startsWith(typed))) return 0;
  if (words.some((word) => word.startsWith(typed))) return 1;
  return [...names, label.toLowerCase()].some((name) => name.includes(typed)) ? 2 : null;
}

interface OperatorItem {
  readonly operator: Operator;
  readonly insert: string;
  readonly label: string;
}

const COMPARISONS: readonly OperatorItem[] = [
  { operator: 'greaterThan', insert: '>', label: 'more than' },
  { operator: 'greaterThanOrEquals', insert: '>=', label: 'at least' },
  { operator: 'lessThan', insert: '<', label: 'less than' },
  { operator: 'lessThanOrEquals', insert: '<=', label: 'at most' },
];

const HAS_ALL: OperatorItem = { operator: 'hasAll', insert: '[', label: 'has all of' };

const OPERATORS: Readonly<Record<FieldType, readonly OperatorItem[]>> = {
  string: [
    { operator: 'equals', insert: '=', label: 'is exactly' },
    { operator: 'endsWith', insert: '*', label: 'ends with' },
    { operator: 'matches', insert: '/', label: 'matches a regular expression' },
    HAS_ALL,
  ],
  version: COMPARISONS,
  enum: [],
  boolean: [],
  number: COMPARISONS,
  datetime: [
    { operator: 'withinLast', insert: '<7d', label: 'within the last 7 days' },
    { operator: 'notWithinLast', insert: '>30d', label: 'not within the last 30 days' },
    { operator: 'after', insert: '>', label: 'after' },
    { operator: 'after', insert: '>=', label: 'on or after' },
    { operator: 'before', insert: '<', label: 'before' },
    { operator: 'before', insert: '<=', label: 'on or before' },
  ],
  array: [HAS_ALL],
};

const PRESENCE: readonly OperatorItem[] = [
  { operator: 'isNull', insert: 'none', label: 'has no value' },
  { operator: 'isEmpty', insert: 'none', label: 'has none' },
  { operator: 'isNotNull', insert: 'any', label: 'has a value' },
  { operator: 'isNotEmpty', insert: 'any', label: 'has any' },
];

/** A comparison as other languages write it, such as `os==linux`. */
const COMPARISON = /^([^<>=!]+)(<>|<=?|>=?|[=!]?==?)(.*)$/s;

const ORDERS: readonly string[] = ['<', '<=', '>', '>='];

/**
 * Proposals for a forgotten colon: the text `cpu>90` searches names, but probably means `cpu:>90`. Empty
 * unless a key and a comparison were typed.
 */
export function colonItems(catalog: FieldCatalog, typed: string): readonly CompletionItem[] {
  const comparison = COMPARISON.exec(typed);
  if (comparison === null) return [];
  const [, written = '', sign = '', value = ''] = comparison;
  const entry = makeKeyFinder(catalog)(written);
  if (entry?.kind !== 'field') return [];
  const { field } = entry;
  const { label, description } = field;
  const key = `${sign === '!=' || sign === '<>' ? '-' : ''}${printKey(field.key)}:`;
  const isEquality = !ORDERS.includes(sign);
  if (value === '') {
    return isEquality
      ? [{ insert: key, label, description }]
      : operatorItems(field).flatMap(({ insert, label: meaning }) =>
          insert === sign ? [{ insert: `${key}${insert}`, label: `${label}: ${meaning}`, description }] : [],
        );
  }
  const insert = (isEquality ? [`${key}=${value}`, `${key}${value}`] : [`${key}${sign}${value}`]).find(
    (term) => parseFilterText(term, catalog, anyName).ok,
  );
  return insert === undefined ? [] : [{ insert, label, description }];
}

/** Resolves each name to the same made-up id, because completion does not look names up. */
function anyName(): readonly string[] {
  return ['00000000-0000-0000-0000-000000000000'];
}
