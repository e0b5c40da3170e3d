/** A name that people give to something: 1 to 200 code points after trimming. Errors say what to send. */
import { err, ok, type Result } from '#domain/result.ts';
import { isBlank } from '#domain/text/blank-text.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { trimText } from '#domain/text/trim-text.ts';

/** Code points, after trimming. */
export const MAX_NAME_LENGTH = 200;

/** Trimmed; of white space and control characters alone it is none. */
export function parseName(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err(`name must be a string of 1 to ${MAX_NAME_LENGTH} characters`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(`name ${reason}`);
  if (isBlank(value)) return err(`name must not be blank; send 1 to ${MAX_NAME_LENGTH} characters`);
  const name = trimText(value);
  const length = countCodePoints(name);
  return length <= MAX_NAME_LENGTH
    ? ok(name)
    : err(`name must have 1 to ${MAX_NAME_LENGTH} characters after trimming; it has ${length}`);
}
