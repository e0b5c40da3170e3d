/** Checks the input of a search (Spec: Limits). */
import type { FieldError } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { parseSearchLimit, parseSearchText } from '#domain/search/search-query.ts';

/** `q`: 1-100 code points after trimming, trimmed. */
export function toSearchText(value: unknown): Result<string, FieldError> {
  const text = parseSearchText(value);
  if (text.ok) return text;
  const code = value === undefined ? 'value_required' : 'invalid_value';
  return err({ path: 'q', code, message: text.error });
}

/** `match` and `approximate`: true or false, or absent for false. */
export function toSearchFlag(name: string, value: unknown): Result<boolean, FieldError> {
  if (value === undefined || typeof value === 'boolean') return ok(value ?? false);
  return err({ path: name, code: 'invalid_value', message: `${name} must be true or false` });
}

/** `limit`: a number from 1 to 50, or absent for 20. */
export function toSearchLimit(value: unknown): Result<number, FieldError> {
  const limit = parseSearchLimit(value);
  return limit.ok ? limit : err({ path: 'limit', code: 'out_of_range', message: limit.error });
}
