/** Reads whole fleets back, for `dump` (Contract: §15). Not limited to any tenant. */
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { PartnerId } from '#domain/ids.ts';

/** What is read back. */
export interface FleetReading {
  /** Password hashes, second factors as they are sealed, recovery codes, and keys; else there are no keys at all. */
  readonly withCredentials: boolean;
  /** Only what belongs to this partner; null: everything. */
  readonly partnerId: PartnerId | null;
}

/**
 * Every record as of one moment, in batches, in memory bounded by one batch: whoever reads slowly holds nothing up.
 * A record comes after those it refers to, and the same fleet always comes in the same order. What a fleet writer makes
 * of them is the same fleet.
 */
export type FleetReader = (reading: FleetReading) => AsyncIterable<readonly FleetRecord[]>;
