import type { Audible, Hearing, Sign } from '#domain/inventory/presence.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Marks as offline each silent device that an agent has reported (Contract: §13), across tenants.
 * - A device is silent if its `lastSeenAt` is outside `audible.contacts`. If its last agent makes no contact,
 *   `audible.reports` applies instead. If the range is null, the device is not silent.
 * - Marks at most `limit` devices and returns their number: less than `limit` once none is left.
 * - Lasting statuses (`isLasting`) and `lastSeenAt` do not change.
 * - Locked devices are left for the next run.
 */
export type SilenceMarker = (
  audible: Readonly<Record<Sign, Audible | null>>,
  limit: number,
) => Promise<number>;

/**
 * Notes that the service is up at `now` (`hearAt`). All instances share the notes, which are due every
 * `everyMs`. Returns since when the service has been up without a break.
 */
export type HearingNotes = (now: EpochMs, everyMs: number) => Promise<Hearing>;
