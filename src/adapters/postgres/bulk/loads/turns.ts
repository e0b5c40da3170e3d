/** Turns of the one thread in a load: while the next rows are made, the connection sends those before them. */
import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';

/**
 * How long rows are made at a stretch, in milliseconds. Each COPY takes three turns, and the database would wait for
 * them half of the time if one were as long as a batch.
 */
const TURN_MS = 2;

/** Called between records: ends a turn that has been long enough. */
export type EndLongTurn = EndSlice;

export function makeEndLongTurn(): EndLongTurn {
  return makeEndSlice(TURN_MS);
}
