/** Values of the query string. */
import type { HttpContext } from '#adapters/http/http-env.ts';
import type { FieldError } from '#application/application-error.ts';
import { parsePreviewLimit } from '#application/filters/filter-input.ts';
import { toSearchLimit, toSearchText } from '#application/search/search-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

/** The one value of a parameter, undefined where it is absent; two different ones are a fault. */
export function readQueryValue(c: HttpContext, name: string): Result<string | undefined, FieldError> {
  const [first, ...others] = new Set(c.req.queries(name));
  return others.length === 0
    ? ok(first)
    : err({ path: name, code: 'repeated_parameter', message: `${name} is given more than once` });
}

/** The text of a parameter, undefined where it is absent: a NUL, or bytes that are no UTF-8, are a fault. */
export function readQueryText(c: HttpContext, name: string): Result<string | undefined, FieldError> {
  const text = readQueryValue(c, name);
  if (!text.ok || text.value === undefined) return text;
  const reason = isBrokenUtf8(c, name) ? 'must be UTF-8' : unstorableReason(text.value);
  return reason === null ? text : err({ path: name, code: 'invalid_value', message: `${name} ${reason}` });
}

/** Escaped bytes that are no character become U+FFFD, which else has to be escaped itself to be there. */
function isBrokenUtf8(c: HttpContext, name: string): boolean {
  const query = new URL(c.req.url).search;
  return (
    query.includes('%') &&
    !/%EF%BF%BD/i.test(query) &&
    new URLSearchParams(query).getAll(name).some((value) => value.includes('\ufffd'))
  );
}

/** `limit` of a saved filter's preview: a plain integer, 1 to 100, or absent for 10 (Spec: Limits; Contract: §1). */
export function readPreviewLimit(c: HttpContext): Result<number, FieldError> {
  return readLimit(c, parsePreviewLimit);
}

/** `q` of a search: 1 to 100 characters, trimmed (Spec: Limits; Contract: §6). */
export function readSearchText(c: HttpContext): Result<string, FieldError> {
  const text = readQueryText(c, 'q');
  return text.ok ? toSearchText(text.value) : text;
}

/** `limit` of a search: a plain integer, 1 to 50, or absent for 20 (Spec: Limits; Contract: §1). */
export function readSearchLimit(c: HttpContext): Result<number, FieldError> {
  return readLimit(c, toSearchLimit);
}

function readLimit(
  c: HttpContext,
  parse: (value: unknown) => Result<number, FieldError>,
): Result<number, FieldError> {
  const text = readQueryValue(c, 'limit');
  if (!text.ok) return text;
  return parse(text.value !== undefined && PLAIN_INTEGER.test(text.value) ? Number(text.value) : text.value);
}

const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/;
