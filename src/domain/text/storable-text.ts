/** Reasons why a text cannot be stored. */
import { countCodePoints } from './code-points.ts';

/** The reason, or null. PostgreSQL's texts cannot hold NUL, and UTF-8 no unpaired surrogates. */
export function unstorableReason(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain a NUL character (U+0000)';
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate';
  return null;
}

/** The limit, in code points, of texts that are searched or sorted by: an index entry must stay below 2,700 bytes. */
export const MAX_INDEXED_LENGTH = 500;

/** Like {@link unstorableReason}, for a text that is searched or sorted by. */
export function unindexableReason(text: string): string | null {
  const reason = unstorableReason(text);
  // Each code point is a unit or two, so that few texts have to be counted.
  if (reason !== null || text.length <= MAX_INDEXED_LENGTH) return reason;
  const length = countCodePoints(text);
  return length > MAX_INDEXED_LENGTH
    ? `must have at most ${MAX_INDEXED_LENGTH} characters; it has ${length}`
    : null;
}
