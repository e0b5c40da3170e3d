/**
 * Signs places in lists, so clients cannot change them (Contract: §10, nextCursor). The key is the same on all
 * instances and after restarts.
 */
export interface CursorSigner {
  /** URL-safe, signed, not encrypted. */
  seal(text: string, boundTo: string): string;
  /** Null unless the cursor was sealed for the same `boundTo`. */
  open(cursor: string, boundTo: string): string | null;
}
