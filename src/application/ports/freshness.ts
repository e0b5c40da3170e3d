/** How far a database has come. Clients send a position back unchanged. */
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
  /** Reads must include it; null: no requirement. */
  readonly seen: Position | null;
}

/**
 * Runs `work` with reads that are at least this fresh; other reads never lag. Returns its result with a position that
 * includes its commits, or null if nothing was committed or it is unknown.
 */
export type WithFreshness = <T>(
  freshness: Freshness,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly position: Position | null }>;
