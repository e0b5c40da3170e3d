/** What keeps a text from being stored. */
import { countCodePoints } from './code-points.ts';

/** PostgreSQL has no NUL, and UTF-8 has no lone surrogate. */
export function unstorableReason(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain a NUL character (U+0000)';
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair';
  return null;
}

/** Code points of a text that things are found or put in order by: no index takes 2,700 bytes. */
export const MAX_INDEXED_LENGTH = 500;

/** The same of a text that things are found or put in order by. */
export function unindexableReason(text: string): string | null {
  const length = countCodePoints(text);
  return (
    unstorableReason(text) ??
    (length > MAX_INDEXED_LENGTH
      ? `must have at most ${MAX_INDEXED_LENGTH} characters; it has ${length}`
      : null)
  );
}
