/**
 * Signs positions in lists, so clients cannot change them (Contract: §10, nextCursor). All instances share the key,
 * across restarts.
 */
export interface CursorSigner {
  /** URL-safe and signed, not encrypted. */
  seal(text: string, boundTo: string): string;
  /** Null unless it was sealed for the same `boundTo`. */
  open(cursor: string, boundTo: string): string | null;
}
