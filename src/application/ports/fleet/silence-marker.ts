/** Marks devices that have fallen silent (Contract: §13). Not limited to any tenant. */
import type { EpochMs } from '#domain/time.ts';

/**
 * Makes devices offline that have reported by themselves and were last seen before the instant, at most `limit` of
 * them, and gives their number: less than `limit` once none is left. A status that stays (`isLasting`) is kept, and so
 * is `lastSeenAt`. A device that somebody is changing at the moment, such as by a report, is left for the next time.
 */
export type SilenceMarker = (seenBefore: EpochMs, limit: number) => Promise<number>;
