/** Places in lists as clients carry them from one page to the next, safe from changes (Contract: §10, nextCursor). */

/** Every instance of the service opens what any other has sealed, before and after a restart. */
export interface CursorSigner {
  /** The text as a cursor: characters that need no escaping in a query. It is signed, and not secret. */
  seal(text: string, boundTo: string): string;
  /** The text of a cursor that was sealed for the same `boundTo`; null for anything else. */
  open(cursor: string, boundTo: string): string | null;
}
