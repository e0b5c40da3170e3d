/** Turns of the one thread in a load: while the next rows are made, the connection sends those before them. */
import { setImmediate } from 'node:timers/promises';

/**
 * How long rows are made at a stretch, in milliseconds. Each COPY takes three turns, and the database would wait for
 * them half of the time if one were as long as a batch.
 */
const TURN_MS = 2;

/** Called between records: ends a turn that has been long enough. */
export type EndLongTurn = () => Promise<unknown> | undefined;

export function makeEndLongTurn(): EndLongTurn {
  let endsAt = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < endsAt) return undefined;
    return setImmediate().then(() => {
      endsAt = performance.now() + TURN_MS;
    });
  };
}
