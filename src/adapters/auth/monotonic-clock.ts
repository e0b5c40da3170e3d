/**
 * Elapsed milliseconds since some fixed instant. The age of cached entries is measured by it and never by the
 * clock port: setting back a wall clock would keep a revoked permission alive.
 */
export type MonotonicClock = () => number;

/** The process's own. */
export const readMonotonicMs: MonotonicClock = () => performance.now();
