/** The parameters of a search (Spec: Limits; Contract: §6). */
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { trimText } from '#domain/text/trim-text.ts';

/** Code points, after trimming. */
export const MAX_SEARCH_TEXT_LENGTH = 100;

/** The number of results over all categories. */
export const MIN_SEARCH_LIMIT = 1;
export const MAX_SEARCH_LIMIT = 50;
export const DEFAULT_SEARCH_LIMIT = 20;

/** The text to search for, without surrounding Unicode white space and byte order marks, or the fault in it. */
export function parseSearchText(value: unknown): Result<string, string> {
  if (value === undefined) return err(`q is required: the text to search for, ${ALLOWED}`);
  if (typeof value !== 'string') return err(`q must be a string of ${ALLOWED}`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(`q ${reason}`);
  const text = trimText(value);
  const length = countCodePoints(text);
  return length >= 1 && length <= MAX_SEARCH_TEXT_LENGTH
    ? ok(text)
    : err(`q must have ${ALLOWED} after trimming; it has ${length}`);
}

const ALLOWED = `1 to ${MAX_SEARCH_TEXT_LENGTH} characters`;

/** The maximum number of results, or the fault in it. */
export function parseSearchLimit(value: unknown): Result<number, string> {
  if (value === undefined) return ok(DEFAULT_SEARCH_LIMIT);
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= MIN_SEARCH_LIMIT &&
    value <= MAX_SEARCH_LIMIT
  ) {
    return ok(value);
  }
  return err(`limit must be a whole number from ${MIN_SEARCH_LIMIT} to ${MAX_SEARCH_LIMIT}`);
}
