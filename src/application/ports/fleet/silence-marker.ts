import type { EpochMs } from '#domain/time.ts';

/**
 * Sets devices offline that report by themselves and were last seen before the instant (Contract: §13), across
 * tenants. At most `limit` at once; returns their number, less than `limit` once none is left. Lasting statuses
 * (`isLasting`) and `lastSeenAt` stay. Locked devices are left for the next run.
 */
export type SilenceMarker = (seenBefore: EpochMs, limit: number) => Promise<number>;
