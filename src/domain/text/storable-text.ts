/** Reasons why a text cannot be stored. */
import { countCodePoints } from './code-points.ts';

/** The reason, or null. PostgreSQL's texts cannot hold NUL, and UTF-8 no unpaired surrogates. */
export function unstorableReason(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain a NUL character (U+0000)';
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate';
  return null;
}

/** The limit, in code points, of texts that are searched or sorted by: an index entry must stay below 2,700 bytes. */
const MAX_INDEXED_LENGTH = 500;

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

/**
 * Whether the text is empty or has only white space and control characters, such as U+0085. Loads refuse such names,
 * so every other way in must, too: a dump has to load. NUL is a different fault.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}]|\0/u.test(text);
}

/**
 * The text without the Unicode white space and byte order marks around it. `String.trim` leaves U+0085, which is white
 * space to Unicode.
 */
export function trimText(text: string): string {
  return TRIMMED.exec(text)?.[0] ?? '';
}

/** From the first to the last character that is no white space; JavaScript's `\s` lacks U+0085. */
const TRIMMED = /[^\s\p{White_Space}](?:.*[^\s\p{White_Space}])?/su;
