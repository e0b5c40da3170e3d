import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { PartnerId } from '#domain/ids.ts';

export interface FleetReading {
  /** Includes password hashes, sealed second factors, recovery codes and keys. Otherwise there are no keys at all. */
  readonly withCredentials: boolean;
  /** Null: everything. */
  readonly partnerId: PartnerId | null;
}

/**
 * Reads whole fleets for `dump` (Contract: §15), across tenants. Records are of one moment, in batches and in a
 * stable order; each comes after those it refers to. Memory is one batch, and slow consumers block nobody. A fleet
 * writer restores the same fleet from the records.
 */
export type FleetReader = (reading: FleetReading) => AsyncIterable<readonly FleetRecord[]>;
