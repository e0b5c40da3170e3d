import type { Audible, Hearing, Sign } from '#domain/inventory/presence.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Sets silent devices offline that agents reported (Contract: §13), across tenants. Silent means that `lastSeenAt` is
 * not within `audible`: `contacts` applies if the device's last agent makes contact, else `reports`. Sets at most
 * `limit` at once and returns their number: less than `limit` once none is left. Lasting statuses (`isLasting`) and
 * `lastSeenAt` stay. Locked devices are left for the next run.
 */
export type SilenceMarker = (
  audible: Readonly<Record<Sign, Audible | null>>,
  limit: number,
) => Promise<number>;

/** Records for all instances that machines can be heard at `now` (`hearAt`), and returns since when. */
export type HearingNotes = (now: EpochMs, everyMs: number) => Promise<Hearing>;
