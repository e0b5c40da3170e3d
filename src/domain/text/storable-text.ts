/** What keeps a text from being stored: PostgreSQL has no NUL, and UTF-8 has no lone surrogate. */
export function unstorableReason(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain a NUL character (U+0000)';
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair';
  return null;
}
