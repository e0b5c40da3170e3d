import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { PartnerId } from '#domain/ids.ts';

export interface FleetReading {
  /** Includes password hashes, encrypted second factors, recovery codes, and API and enrolment keys. */
  readonly withCredentials: boolean;
  /** Null means everything. */
  readonly partnerId: PartnerId | null;
}

/**
 * Reads whole fleets for `dump` (Contract: §15), across tenants. All records are of one moment, in batches and in a
 * stable order; each comes after the records it refers to. A fleet writer restores the same fleet from them. Memory
 * holds one batch, and a slow consumer blocks no one.
 */
export type FleetReader = (reading: FleetReading) => AsyncIterable<readonly FleetRecord[]>;
