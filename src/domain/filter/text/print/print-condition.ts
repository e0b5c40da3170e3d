import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import type { Condition } from '#domain/filter/conditions/condition.ts';
import { printKey, quote, type Sign, UNIT_SUFFIXES } from '#domain/filter/text/text-keys.ts';
import { TEXT } from '#domain/filter/values/parse-scalar.ts';
import type { TimeSpan } from '#domain/filter/values/time-span.ts';
import { versionParts } from '#domain/filter/values/version-key.ts';

/**
 * Prints a PostgreSQL regular expression as `/re/`. A backslash before a slash or at the end cannot be
 * written there, so an equivalent pattern is printed. A pattern that PostgreSQL refuses stays refused.
 */
export function printPattern(pattern: string): string {
  const writable = isWritable(pattern) ? pattern : rewrite(pattern);
  return `/${writable.replace(/\\[\s\S]|\//g, (part) => (part === '/' ? '\\/' : part))}/`;
}

function isWritable(pattern: string): boolean {
  return !/^(?:[^\\]|\\[^/])*\\(?:\/|$)/.test(pattern);
}

/** PostgreSQL's prefixes: `***=` for literal text, `***:` for its own dialect, `(?…)` for options. */
function rewrite(pattern: string): string {
  if (pattern.startsWith('***=')) return escapeLiteral(pattern.slice('***='.length));
  const [prefix = '', options = ''] = /^(?:\*\*\*:)?(?:\(\?([a-z]*)\))?/.exec(pattern) ?? [];
  const rest = pattern.slice(prefix.length);
  const dialect = /[beq](?=[^beq]*$)/.exec(options)?.[0];
  if (dialect === 'q') {
    const caseOption = /[ci](?=[^ci]*$)/.exec(options)?.[0];
    return (caseOption === 'i' ? '(?i)' : '') + escapeLiteral(rest);
  }
  return prefix + (dialect === undefined ? rewriteAdvanced(rest) : rewritePosix(rest));
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** An escaped slash becomes a slash, `\c\` the character U+001C. */
function rewriteAdvanced(pattern: string): string {
  return pattern.replace(/\\c[\s\S]|\\[\s\S]|\\$/g, (part) => {
    if (part === '\\c\\') return '\\u001C';
    return part === '\\/' ? '/' : part === '\\' ? UNFINISHED : part;
  });
}

/** In brackets of the POSIX dialects a backslash is literal, so `[.\.]` can replace it. */
function rewritePosix(pattern: string): string {
  return pattern.replace(/\[\^?\]?(?:\[([.=:])[\s\S]*?\1\]|[^\]])*\]|\\[\s\S]|\\$/g, (part) => {
    if (part.startsWith('[')) {
      return part.replace(/\[([.=:])[\s\S]*?\1\]|\\/g, (inner) => (inner === '\\' ? '[.\\.]' : inner));
    }
    return part === '\\/' ? '/' : part === '\\' ? UNFINISHED : part;
  });
}

/** Replaces a lone backslash at the end. A `[` is just as invalid there, and as harmless inside a comment. */
const UNFINISHED = '[';

/** A `value` may contain commas; an `element` of a list may not; a `bare` value has no key. */
type TextPlace = 'value' | 'element' | 'bare';

/** Adds quotes unless the text can only be read as text. */
export function quoteWhereNeeded(text: string, place: TextPlace): string {
  return isPlain(text, place) ? text : quote(text);
}

/** Spaces of every kind, controls and joiners need quotes. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;

const RESERVED: Readonly<Record<TextPlace, RegExp>> = {
  value: /^[=<>[/]|["()*]|^(?:none|any)$/,
  element: /^[=<>/]|["()*,[\]]|^(?:none|any)$/,
  bare: /^[-[/]|["()*:<>=]|^(?:AND|OR|NOT|none|any)$/,
};

function isPlain(text: string, place: TextPlace): boolean {
  return VISIBLE.test(text) && !RESERVED[place].test(text);
}

export function printCondition({
  field,
  operator,
  value,
}: Pick<Condition, 'field' | 'operator' | 'value'>): string {
  return PRINTERS[operator](field, value);
}

export function printComparison(field: FilterField, sign: Sign, bound: unknown): string {
  return term(field, sign + printBound(field, bound));
}

export function textOf(value: unknown): string {
  const text = TEXT.parse(value);
  if (!text.ok) throw new Error(`a value that is no text: ${text.error}`);
  return text.value;
}

type PrintTerm = (field: FilterField, value: unknown) => string;

const PRINTERS: Readonly<Record<Operator, PrintTerm>> = {
  equals: (field, value) => term(field, printEqual(field, value)),
  notEquals: (field, value) =>
    field.key === 'tags.name' ? `-${TAGS}:${word(value, 'element')}` : `-${PRINTERS.equals(field, value)}`,
  greaterThan: (field, value) => printComparison(field, '>', value),
  greaterThanOrEquals: (field, value) => printComparison(field, '>=', value),
  lessThan: (field, value) => printComparison(field, '<', value),
  lessThanOrEquals: (field, value) => printComparison(field, '<=', value),
  before: (field, value) => printComparison(field, '<', value),
  after: (field, value) => printComparison(field, '>', value),
  between: (field, value) => {
    const { from, to } = value as Readonly<Record<'from' | 'to', unknown>>;
    return term(field, `${printEnd(field, from)}..${printEnd(field, to)}`);
  },
  contains: (field, value) => term(field, word(value, field.type === 'array' ? 'element' : 'value')),
  notContains: (field, value) => `-${PRINTERS.contains(field, value)}`,
  startsWith: (field, value) => term(field, `${word(value, 'value')}*`),
  endsWith: (field, value) => term(field, `*${word(value, 'value')}`),
  matches: (field, value) => term(field, printPattern(textOf(value))),
  in: (field, value) => printIn(field, distinct(value)),
  notIn: (field, value) => {
    const values = distinct(value);
    return field.key === 'tags.name' && values.length > 0
      ? `-${TAGS}:${list(values)}`
      : `-${printIn(field, values)}`;
  },
  hasAny: (field, value) => {
    const values = distinct(value);
    if (field.type !== 'array') return printIn(field, values);
    return values.length === 0 ? 'tags.name:=[]' : term(field, list(values));
  },
  hasAll: (field, value) => term(field, `[${list(distinct(value))}]`),
  isEmpty: (field) => term(field, 'none'),
  isNull: (field) => term(field, 'none'),
  isNotEmpty: (field) => term(field, 'any'),
  isNotNull: (field) => term(field, 'any'),
  withinLast: (field, value) => term(field, `<${printSpan(value as TimeSpan)}`),
  notWithinLast: (field, value) => term(field, `>${printSpan(value as TimeSpan)}`),
};

/** `-tags:` is parsed into a condition on tags.name, and printed as `-tags:` again. */
const TAGS = printKey('tags');

/** Enums cannot have an empty list, so a condition on host names that matches nothing replaces it. */
const NOTHING = `${printKey('hostname')}:=[]`;

function term({ key }: Pick<FilterField, 'key'>, value: string): string {
  return `${printKey(key)}:${value}`;
}

function word(value: unknown, place: TextPlace): string {
  return quoteWhereNeeded(textOf(value), place);
}

function list(values: readonly string[]): string {
  return values.map((value) => word(value, 'element')).join(',');
}

function distinct(value: unknown): readonly string[] {
  return [...new Set(value as readonly string[])];
}

function printEqual(field: FilterField, value: unknown): string {
  switch (field.type) {
    case 'string':
      return field.isUuid ? textOf(value).toLowerCase() : `=${word(value, 'element')}`;
    case 'enum':
    case 'array':
      return word(value, 'element');
    case 'boolean':
      return String(value) === 'true' ? 'yes' : 'no';
    case 'version':
      return textOf(value).includes('..') ? quote(textOf(value)) : word(value, 'element');
    case 'number':
    case 'datetime':
      return printBound(field, value);
  }
}

function printIn(field: FilterField, values: readonly string[]): string {
  if (field.isUuid) {
    const ids = distinct(values.map((id) => id.toLowerCase()));
    return term(field, ids.length === 1 ? ids.join() : ids.length === 0 ? '=[]' : `=${ids.join(',')}`);
  }
  if (values.length === 1) return PRINTERS.equals(field, values[0]);
  if (field.type === 'enum') return values.length === 0 ? NOTHING : term(field, list(values));
  return term(field, values.length === 0 ? '=[]' : `=${list(values)}`);
}

function printBound({ type }: FilterField, value: unknown): string {
  if (type === 'version') return word(value, 'element');
  return type === 'number' ? textOf(Number(value)) : textOf(value);
}

/** A range has no quotes, so a version that needs them is written as its parts with dots. */
function printEnd(field: FilterField, value: unknown): string {
  const text = printBound(field, value);
  const needsParts = field.type === 'version' && (text.startsWith('"') || text.includes('..'));
  return needsParts ? (versionParts(textOf(value)) ?? []).join('.') : text;
}

function printSpan({ amount, unit }: TimeSpan): string {
  const digits = amount > Number.MAX_SAFE_INTEGER ? BigInt(amount).toString() : textOf(amount);
  return digits + UNIT_SUFFIXES[unit];
}
