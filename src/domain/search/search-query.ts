/** The text of a search (Spec: Limits; Contract: §6). */
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { trimText } from '#domain/text/trim-text.ts';

/** Code points, after trimming. */
export const MAX_SEARCH_TEXT_LENGTH = 100;

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
