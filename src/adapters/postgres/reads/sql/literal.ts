/**
 * The only place where values become SQL. Filter values are constants, not parameters, because the planner
 * needs to see them. A repeated statement is still planned only once.
 */
import { escapeLiteral } from 'pg';
import type { TextPosition } from '#domain/filter/conditions/predicate.ts';
import { isUuid } from '#domain/ids.ts';

/** SQL written by this adapter, never text from a caller. */
export type Sql = string & { readonly [trusted]: true };
declare const trusted: unique symbol;

export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  const [first = '', ...others] = strings.raw;
  return others.reduce((text, string, i) => text + parts[i] + string, first) as Sql;
}

/** The text must have no NUL (see `unstorableReason`). */
export function textLiteral(text: string): Sql {
  return escapeLiteral(text) as Sql;
}

export function arrayLiteral(values: Iterable<string>, type: Sql): Sql {
  const elements = Array.from(values, (value) => `"${value.replace(/["\\]/g, '\\$&')}"`);
  return `${escapeLiteral(`{${elements.join(',')}}`)}::${type}[]` as Sql;
}

export function numbersLiteral(values: Iterable<number>, type: Sql): Sql {
  return `'{${Array.from(values, finite).join(',')}}'::${type}[]` as Sql;
}

export function numberLiteral(value: number): Sql {
  return `'${finite(value)}'::float8` as Sql;
}

/** Has no cast, because FETCH takes only a bare integer. */
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

/** A `tsquery` that matches any of the ids, which are lexemes of search blocks. */
export function anyIdLiteral(ids: readonly string[]): Sql {
  if (!ids.every(isUuid)) throw new Error('not a UUID');
  return `${escapeLiteral(ids.map((id) => `'${id.toLowerCase()}'`).join(' | '))}::tsquery` as Sql;
}

/** The instant must be in the years 1 to 9999. */
export function instantLiteral(epochMs: number): Sql {
  return `'${new Date(epochMs).toISOString()}'::timestamptz` as Sql;
}

export function likeLiteral(text: string, position: TextPosition): Sql {
  return escapeLiteral(likePattern(text, position)) as Sql;
}

/** Escapes `%`, `_` and `\\`, so they stand for themselves. */
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
