import type { EpochMs } from '#domain/time.ts';

/** Returns whole milliseconds since the Unix epoch. Tests and embedders supply their own clock. */
export type Clock = () => EpochMs;
