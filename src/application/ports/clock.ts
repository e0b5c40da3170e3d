import type { EpochMs } from '#domain/time.ts';

/** Returns whole milliseconds since the Unix epoch. */
export type Clock = () => EpochMs;

/**
 * One clock for all processes on a storage. It decides when claims expire, so a process whose own clock jumps
 * takes nothing from another one. What was queued or put off until now is due by it.
 */
export type SharedClock = () => Promise<EpochMs>;
