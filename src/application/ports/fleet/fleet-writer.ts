/** Loads whole fleets: what `load` and the demo use (Contract: §9). Not limited to any tenant. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';

/** A record with its place in the source, which faults name. */
export interface LocatedRecord {
  readonly record: FleetRecord;
  /** The line of the source, from 1; in a JSON document, the line on which the element begins. */
  readonly line: number;
  /** The element, e.g. `devices[12]` in a JSON document or `device` in NDJSON. */
  readonly member: string;
}

/** What is wrong at one place of the source, in words for the person who wrote it. */
export interface FleetFault {
  readonly line: number;
  /** The path to the fault, e.g. `devices[12].orgId`. */
  readonly member: string;
  readonly message: string;
}

/** How many records of each kind were written; none of people who are erased, nor of their keys. */
export type FleetCounts = Readonly<Record<FleetRecord['kind'], number>>;

/** What a load may do beyond the usual. */
export interface FleetWriterOptions {
  /** Whether a device may change its organization. */
  readonly allowMoves?: boolean;
}

/**
 * Upserts every record by id, all or none, in bounded memory however long the source is.
 *
 * - Order does not matter: a record may refer to one that comes later.
 * - A device record replaces the device with its hardware, interfaces, software, patches and custom values; its
 *   alerts stay.
 * - With `allowMoves`, a device that another organization has moves to that of its record, and with it what the record
 *   does not replace: its alerts, and the names and keys that its inventories are known by.
 * - Faults are: a reference to an unknown organization, partner, user or device; two records with the same id; an id
 *   that belongs to another organization, but for devices that may move; a second user with the same email; a filter whose conditions are not valid
 *   in its organization; more titles of software for an organization than it may have (`title-quota.ts`), those that it
 *   had before the load included. If there is any fault, nothing is written. At most 100 faults are reported.
 * - What `makeEntry` returns is recorded in the same transaction; `moved` is how many devices changed their organization.
 * - `onProgress` is called with the number of records read so far.
 * - An error thrown by the source is rethrown, and nothing is written.
 */
export type FleetWriter = (
  source: AsyncIterable<LocatedRecord> | Iterable<LocatedRecord>,
  onProgress?: (records: number) => void,
  makeEntry?: (counts: FleetCounts, moved: number) => AuditEntry,
  options?: FleetWriterOptions,
) => Promise<Result<FleetCounts, readonly FleetFault[]>>;
