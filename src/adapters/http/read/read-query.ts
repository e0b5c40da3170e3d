/** Reads the query string by the schema of its route (Contract: §1). */
import * as v from 'valibot';
import type { HttpContext } from '#adapters/http/http-env.ts';
import { codeOfIssue, type QuerySchema } from '#adapters/http/schemas/query-schema.ts';
import { type FieldError, toValidationError, type ValidationError } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** What the query asks for, or every fault in it: each at the name of its parameter. */
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

/** Equal values count as one; of different ones nobody can say which is meant. */
function sentValue(c: HttpContext, name: string): string | readonly string[] | undefined {
  const [first, ...others] = new Set(c.req.queries(name));
  return first === undefined || others.length === 0 ? first : [first, ...others];
}

/** Bytes that are not UTF-8 decode to U+FFFD, which a client can send only by escaping it itself. */
function isBrokenUtf8(c: HttpContext, name: string): boolean {
  if (!c.req.url.includes('%')) return false;
  const query = new URL(c.req.url).search;
  return (
    !/%EF%BF%BD/i.test(query) &&
    new URLSearchParams(query).getAll(name).some((value) => value.includes('\ufffd'))
  );
}
