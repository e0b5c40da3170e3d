import * as v from 'valibot';
import type { HttpContext } from '#adapters/http/http-env.ts';
import { type FieldError, toValidationError, type ValidationError } from '#application/application-error.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { described, idOf, optional, type Parameter, wholeNumber } from './query-parameters.ts';

/** The input maps parameter names to values. */
export type QuerySchema<T> = v.GenericSchema<unknown, T> & { readonly entries: v.ObjectEntries };

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

type SchemasOf<P extends Parameters> = { [Name in keyof P]: ReturnType<P[Name]> };

export function querySchema<const P extends Parameters>(parameters: P) {
  const entries = Object.entries(parameters).map(([name, parameter]) => [name, parameter(name)]);
  return v.object(Object.fromEntries(entries) as SchemasOf<P>);
}

export const pageSize = described(
  optional(wholeNumber(PAGE_LIMIT), PAGE_LIMIT.fallback),
  'The number of entries on a page.',
  50,
);

/** Null means all organizations in reach. */
export function organization(description: string) {
  return described(optional(idOf<'organization'>(), null), description);
}

export const AFTER = 'The `nextCursor` of the page before.';

/** The maximum is beyond the end of every list and text, but within the database's limits. */
export const FAR_BEYOND = { min: 0, max: 1_000_000_000 };

export function readQuery<T>(c: HttpContext, schema: QuerySchema<T>): Result<T, ValidationError> {
  const names = Object.keys(schema.entries);
  const sent = Object.fromEntries(names.map((name) => [name, sentValue(c, name)]));
  const parsed = v.safeParse(schema, sent);
  const faults: FieldError[] = (parsed.issues ?? []).map((issue) => ({
    path: v.getDotPath(issue) ?? '',
    code: codeOfIssue(issue),
    message: issue.message,
  }));
  const broken = names.filter((name) => isBrokenUtf8(c, name) && !faults.some(({ path }) => path === name));
  faults.push(...broken.map((path) => ({ path, code: 'invalid_value', message: `${path} must be UTF-8` })));
  return parsed.success && faults.length === 0 ? ok(parsed.output) : err(toValidationError(faults));
}

/** Equal values count as one. Different ones stay an array, which the schema refuses. */
function sentValue(c: HttpContext, name: string): string | readonly string[] | undefined {
  const [first, ...others] = new Set(c.req.queries(name));
  return first === undefined || others.length === 0 ? first : [first, ...others];
}

function codeOfIssue({ type, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'value_required';
  return CODES[type] ?? 'invalid_value';
}

/** Keyed by the type of the schema or action that found the fault (Contract: §1). */
const CODES: Readonly<Record<string, string>> = {
  // A query value is text unless the parameter was repeated.
  string: 'repeated_parameter',
  regex: 'out_of_range',
  min_value: 'out_of_range',
  max_value: 'out_of_range',
  partial_check: 'out_of_range',
};

/** Invalid bytes decode to U+FFFD. A client that means this character sends it as %EF%BF%BD. */
function isBrokenUtf8(c: HttpContext, name: string): boolean {
  if (!c.req.url.includes('%')) return false;
  const query = new URL(c.req.url).search;
  return (
    !/%EF%BF%BD/i.test(query) &&
    new URLSearchParams(query).getAll(name).some((value) => value.includes('\ufffd'))
  );
}
