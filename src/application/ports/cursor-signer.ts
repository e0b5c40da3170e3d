/**
 * Signs positions in lists, so clients cannot change them (Contract: §10, nextCursor). All instances share the key and
 * keep it across restarts.
 */
export interface CursorSigner {
  /** The result is URL-safe and signed, but not encrypted: clients can read `text`. */
  seal(text: string, boundTo: string): string;
  /** Null if the cursor was altered, or sealed for another `boundTo`, such as another list. */
  open(cursor: string, boundTo: string): string | null;
}
