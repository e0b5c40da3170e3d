/** Validates a search (Spec: Limits). */
import type { FieldError } from '#application/application-error.ts';
import type { WholeNumbers } from '#application/whole-number.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { parseSearchText } from '#domain/search/search-query.ts';

/** Results over all categories. */
export const SEARCH_LIMIT: WholeNumbers = { min: 1, max: 50, fallback: 20 };

/** 1-100 code points after trimming. */
export function toSearchText(value: unknown): Result<string, FieldError> {
  const text = parseSearchText(value);
  if (text.ok) return text;
  const code = value === undefined ? 'value_required' : 'invalid_value';
  return err({ path: 'q', code, message: text.error });
}

/** Absent means false. */
export function toSearchFlag(name: string, value: unknown): Result<boolean, FieldError> {
  if (value === undefined || typeof value === 'boolean') return ok(value ?? false);
  return err({ path: name, code: 'invalid_value', message: `${name} must be true or false` });
}
