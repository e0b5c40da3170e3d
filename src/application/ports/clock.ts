/** The current time, as whole milliseconds since the Unix epoch. Tests and embedders supply their own. */
import type { EpochMs } from '#domain/time.ts';

/** The instant at which it is called. */
export type Clock = () => EpochMs;
