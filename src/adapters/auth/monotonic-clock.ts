/**
 * Elapsed milliseconds since some fixed instant. The age of what is cached is measured by it and never by the
 * clock port: a wall clock that is set back would keep a revoked permission alive.
 */
export type MonotonicClock = () => number;

/** The process's own. */
export const readMonotonicMs: MonotonicClock = () => performance.now();
