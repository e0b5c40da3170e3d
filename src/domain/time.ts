/** Whole milliseconds since the Unix epoch, UTC. */
export type EpochMs = number;

/** Milliseconds. */
export const MINUTE_MS = 60_000;

/** In milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;

/** Of 24 hours. */
export const DAY_MS = 24 * HOUR_MS;
