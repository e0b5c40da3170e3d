import type { Audible, Hearing, Sign } from '#domain/inventory/presence.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Sets devices offline that agents reported and that were last seen at no audible instant (Contract: §13), across
 * tenants. A device counts by its contacts if its last agent makes any, else by its reports. At most `limit` at once;
 * returns their number, less than `limit` once none is left. Lasting statuses (`isLasting`) and `lastSeenAt` stay.
 * Locked devices are left for the next run.
 */
export type SilenceMarker = (
  audible: Readonly<Record<Sign, Audible | null>>,
  limit: number,
) => Promise<number>;

/** Notes for all instances that machines can be heard at `now` (`hearAt`), and returns since when. */
export type HearingNotes = (now: EpochMs, everyMs: number) => Promise<Hearing>;
