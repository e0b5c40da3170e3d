/**
 * Signs positions in lists, so clients cannot change them (Contract: §10, nextCursor). All instances use the same
 * key, which survives restarts.
 */
export interface CursorSigner {
  /** The result is URL-safe and signed, but not encrypted. */
  seal(text: string, boundTo: string): string;
  /** Returns the sealed text, or null unless it was sealed for the same `boundTo`. */
  open(cursor: string, boundTo: string): string | null;
}
