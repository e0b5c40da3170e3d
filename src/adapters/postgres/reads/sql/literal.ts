/**
 * The one place where values become SQL text. Filters are sent with their values as constants, because the planner
 * has to see them, and because a statement that is named and repeated is then planned once. So everything that a
 * user wrote passes through here, and nothing else may build SQL out of values.
 */
import { escapeLiteral } from 'pg';
import type { TextPosition } from '#domain/filter/conditions/predicate.ts';
import { isUuid } from '#domain/ids.ts';

/** SQL that this adapter wrote, as opposed to text from a caller. */
export type Sql = string & { readonly [trusted]: true };
declare const trusted: unique symbol;

/** SQL from a template whose every insertion is SQL itself. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  const [first = '', ...others] = strings.raw;
  return others.reduce((text, string, i) => text + parts[i] + string, first) as Sql;
}

/** A text constant. The text must have no NUL (`unstorableReason`). */
export function textLiteral(text: string): Sql {
  return escapeLiteral(text) as Sql;
}

/** A list of texts as one array constant of the type, however long the list is. */
export function arrayLiteral(values: Iterable<string>, type: Sql): Sql {
  const elements = Array.from(values, (value) => `"${value.replace(/["\\]/g, '\\$&')}"`);
  return `${escapeLiteral(`{${elements.join(',')}}`)}::${type}[]` as Sql;
}

/** A list of numbers as one array constant. */
export function numbersLiteral(values: Iterable<number>, type: Sql): Sql {
  return `'{${Array.from(values, finite).join(',')}}'::${type}[]` as Sql;
}

export function numberLiteral(value: number): Sql {
  return `'${finite(value)}'::float8` as Sql;
}

/** A whole number from `min` on, without a cast, as LIMIT takes it. */
export function countLiteral(count: number, min = 0): Sql {
  if (!Number.isInteger(count) || count < min) throw new Error(`not a whole number from ${min} on`);
  return String(count) as Sql;
}

export function booleanLiteral(value: boolean): Sql {
  return (value ? 'true' : 'false') as Sql;
}

export function uuidLiteral(id: string): Sql {
  if (!isUuid(id)) throw new Error('not a UUID');
  return `'${id}'::uuid` as Sql;
}

export function uuidsLiteral(ids: readonly string[]): Sql {
  if (!ids.every(isUuid)) throw new Error('not a UUID');
  return `'{${ids.join(',')}}'::uuid[]` as Sql;
}

/** A text query for any of the ids, each of them a lexeme. */
export function anyIdLiteral(ids: readonly string[]): Sql {
  if (!ids.every(isUuid)) throw new Error('not a UUID');
  return `${escapeLiteral(ids.map((id) => `'${id.toLowerCase()}'`).join(' | '))}::tsquery` as Sql;
}

/** An instant of the years 1 to 9999, in epoch milliseconds. */
export function instantLiteral(epochMs: number): Sql {
  return `'${new Date(epochMs).toISOString()}'::timestamptz` as Sql;
}

/** A constant pattern for LIKE that finds the text as it is, at the place that the position says. */
export function likeLiteral(text: string, position: TextPosition): Sql {
  return escapeLiteral(likePattern(text, position)) as Sql;
}

/** The pattern itself: `%`, `_` and `\\` of the text stand for themselves. */
export function likePattern(text: string, position: TextPosition): string {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  const before = position === 'start' ? '' : '%';
  const after = position === 'end' ? '' : '%';
  return `${before}${literal}${after}`;
}

function finite(value: number): string {
  if (!Number.isFinite(value)) throw new Error('not a finite number');
  return String(value);
}
