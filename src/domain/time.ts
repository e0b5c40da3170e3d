/** Whole milliseconds since the Unix epoch, UTC. */
export type EpochMs = number;

/** In milliseconds. */
export const MINUTE_MS = 60_000;

/** In milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;

/** In milliseconds. */
export const DAY_MS = 24 * HOUR_MS;
