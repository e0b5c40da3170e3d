/** Puts whole fleets in: what `load` and the demo use. */
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';

/** A record with the place it came from, so that a refusal can name it. */
export interface LocatedRecord {
  readonly record: FleetRecord;
  /** 1-based line of the source; in a JSON document, the line on which the element begins. */
  readonly line: number;
  /** Where in the source, e.g. `devices[12]` in a JSON document, `device` in NDJSON. */
  readonly member: string;
}

/** What is wrong with one place of the source, in words for the person who wrote it. */
export interface FleetFault {
  readonly line: number;
  /** The member down to the fault, e.g. `devices[12].orgId`. */
  readonly member: string;
  readonly message: string;
}

/** How many records of each kind went in. */
export type FleetCounts = Readonly<Record<FleetRecord['kind'], number>>;

/**
 * Upserts every record by id, all or nothing, in bounded memory whatever the length of the source.
 *
 * - Order does not matter: a record may refer to one that comes later.
 * - A device's record replaces the device with its hardware, interfaces, software, patches and custom values;
 *   its alerts stay.
 * - A reference to nothing (an unknown organization, partner, user or device), two records with one id, an id
 *   that belongs to another organization, a second user with one email, and a filter whose conditions are not
 *   valid in its organization are faults; with any fault nothing is written. At most 100 faults are named.
 * - `onProgress` is called with the number of records taken so far.
 * - An error thrown by the source is rethrown, and nothing is written.
 */
export type FleetWriter = (
  source: AsyncIterable<LocatedRecord> | Iterable<LocatedRecord>,
  onProgress?: (records: number) => void,
) => Promise<Result<FleetCounts, readonly FleetFault[]>>;
