import { countCodePoints } from './code-points.ts';

/** Why PostgreSQL cannot store the text; null if it can. */
export function unstorableReason(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain a NUL character (U+0000)';
  if (!text.isWellFormed()) return 'must not contain an unpaired surrogate';
  return null;
}

/** In code points. An index entry must stay below 2,700 bytes. */
const MAX_INDEXED_LENGTH = 500;

/** Like {@link unstorableReason}, but for texts by which lists search or sort. */
export function unindexableReason(text: string): string | null {
  const reason = unstorableReason(text);
  // Only long texts have to be counted, because code units are at least as many as code points.
  if (reason !== null || text.length <= MAX_INDEXED_LENGTH) return reason;
  const length = countCodePoints(text);
  return length > MAX_INDEXED_LENGTH
    ? `must have at most ${MAX_INDEXED_LENGTH} characters; it has ${length}`
    : null;
}

/**
 * Whether the text has only white space and control characters, except NUL, which is another fault. Loads
 * refuse blank names, so every other input must, too: otherwise a dump would not load.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}]|\0/u.test(text);
}

/** Trims Unicode white space, U+0085 included (unlike `String.trim`), and byte order marks. */
export function trimText(text: string): string {
  return TRIMMED.exec(text)?.[0] ?? '';
}

/** JavaScript's `\s` lacks U+0085. */
const TRIMMED = /[^\s\p{White_Space}](?:.*[^\s\p{White_Space}])?/su;
