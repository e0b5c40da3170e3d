/** How far a database has come. Clients send it back unchanged. */
export type Position = string & { readonly '~isPosition': true };

/** PostgreSQL prints an LSN as two hexadecimal numbers of up to eight digits. */
const POSITION = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/;

/** Null if the text is no position. */
export function parsePosition(text: string): Position | null {
  return POSITION.test(text) ? (text as Position) : null;
}

/** How far reads may lag (Contract: §15). */
export interface Freshness {
  /** A replica, slightly behind, may answer. */
  readonly mayLag: boolean;
  /** Reads must include this position; null: no requirement. */
  readonly seen: Position | null;
}

/**
 * Runs `work` with reads at least this fresh. Returns its result and a position that includes its commits; null if it
 * committed nothing or the position is unknown. Other reads never lag.
 */
export type WithFreshness = <T>(
  freshness: Freshness,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly position: Position | null }>;
