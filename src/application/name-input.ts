import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { isBlank, trimText, unstorableReason } from '#domain/text/storable-text.ts';

/** After trimming. */
export const MAX_NAME_LENGTH = 200;

/** The trimmed name. Blank names are refused. */
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
