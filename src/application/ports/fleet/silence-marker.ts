import type { Audible, Hearing, Sign } from '#domain/inventory/presence.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Sets silent devices offline that agents reported (Contract: §13), across tenants. Silent means that `lastSeenAt` is
 * outside `audible.contacts` if the device's last agent makes contact, else outside `audible.reports`. Null: no device
 * is silent. Sets at most `limit` at once and returns their number: less than `limit` once none is left. Lasting
 * statuses (`isLasting`) and `lastSeenAt` stay. Locked devices are left for the next run.
 */
export type SilenceMarker = (
  audible: Readonly<Record<Sign, Audible | null>>,
  limit: number,
) => Promise<number>;

/** Records for all instances that the service is up at `now` (`hearAt`), and returns since when it has been. */
export type HearingNotes = (now: EpochMs, everyMs: number) => Promise<Hearing>;
