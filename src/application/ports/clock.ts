import type { EpochMs } from '#domain/time.ts';

/** Returns whole milliseconds since the Unix epoch. */
export type Clock = () => EpochMs;
