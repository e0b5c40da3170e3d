/**
 * Signs places in lists, so that clients cannot change them (Contract: §10, nextCursor). All instances share the key,
 * across restarts.
 */
export interface CursorSigner {
  /** URL-safe, signed, not encrypted. */
  seal(text: string, boundTo: string): string;
  /** The text if the cursor was sealed for the same `boundTo`, else null. */
  open(cursor: string, boundTo: string): string | null;
}
