/** How fresh reads must be where there are replicas, and how far changes have come (Contract: §15). */

/** How far a database has come, in a form that clients receive and send back unchanged. */
export type Position = string & { readonly '~isPosition': true };

/** A position as PostgreSQL prints them: two hexadecimal numbers of up to eight digits. */
const POSITION = /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/;

/** The text as a position, or null if it is none. */
export function parsePosition(text: string): Position | null {
  return POSITION.test(text) ? (text as Position) : null;
}

/** How far reads may be behind. */
export interface Freshness {
  /** Whether reads may come from a replica, which is a little behind. */
  readonly mayLag: boolean;
  /** What reads must not be behind of; null: nothing. */
  readonly seen: Position | null;
}

/**
 * Runs the work, whose reads are at least as fresh as asked; outside of it, they are never behind. Gives its result, and
 * a position that is not behind what it has committed: null if it has committed nothing, or if that cannot be found out.
 */
export type WithFreshness = <T>(
  freshness: Freshness,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly position: Position | null }>;
