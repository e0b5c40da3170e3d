/**
 * Elapsed milliseconds since a fixed instant. Ages of cached entries use it, because setting back a wall clock would
 * keep a revoked permission alive.
 */
export type MonotonicClock = () => number;

export const readMonotonicMs: MonotonicClock = () => performance.now();
