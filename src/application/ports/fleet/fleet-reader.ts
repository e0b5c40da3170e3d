import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { PartnerId } from '#domain/ids.ts';

/** Selects what a dump contains. */
export interface FleetReading {
  /**
   * Includes password hashes, sealed second factors, recovery codes and keys; without it there are no keys at all.
   */
  readonly withCredentials: boolean;
  /** Null means everything. */
  readonly partnerId: PartnerId | null;
}

/**
 * Reads whole fleets for `dump` (Contract: §15), across tenants. Records are of one moment and come in batches;
 * memory is one batch, and slow consumers block nobody. A record comes after those it refers to, in a stable order. A
 * fleet writer restores the same fleet from them.
 */
export type FleetReader = (reading: FleetReading) => AsyncIterable<readonly FleetRecord[]>;
