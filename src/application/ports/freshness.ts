/** A point in a database's write-ahead log. Clients send it back unchanged. */
export type Position = string & { readonly '~isPosition': true };

/** PostgreSQL prints an LSN as two hexadecimal numbers of up to eight digits. */
const POSITION = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/;

/** Null if the text is not a position. */
export function parsePosition(text: string): Position | null {
  return POSITION.test(text) ? (text as Position) : null;
}

/** How old the data of reads may be (Contract: §15). */
export interface Freshness {
  /** True if a replica may answer, which can be slightly behind. */
  readonly mayLag: boolean;
  /** Reads must include all changes up to this position. Null: no requirement. */
  readonly seen: Position | null;
}

/**
 * Runs `work` with reads that are at least this fresh. Reads outside such a call never lag. `position` includes all
 * commits of `work`; null if it committed nothing or the position is unknown.
 */
export type WithFreshness = <T>(
  freshness: Freshness,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly position: Position | null }>;
