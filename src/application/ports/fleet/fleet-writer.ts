import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';

export interface LocatedRecord {
  readonly record: FleetRecord;
  /** Counts from 1. In a JSON document, the line where the element begins. */
  readonly line: number;
  /** For example `devices[12]`, or `device` in NDJSON. */
  readonly member: string;
}

export interface FleetFault {
  readonly line: number;
  /** For example `devices[12].orgId`. */
  readonly member: string;
  readonly message: string;
}

/** The number of records written, by kind. Erased people and their keys are not written. */
export type FleetCounts = Readonly<Record<FleetRecord['kind'], number>>;

export interface FleetWriterOptions {
  /** Allows devices to move to another organization. */
  readonly allowMoves?: boolean;
}

/**
 * Loads whole fleets, for `load` and the demo (Contract: §9), across tenants. Upserts all records by id, or
 * none if there is a fault, in bounded memory.
 * - Records may come in any order and refer to later ones.
 * - A device record replaces the device with its hardware, interfaces, software, patches and custom values,
 *   but not its alerts.
 * - With `allowMoves`, a device of another organization moves to the record's organization, with its alerts
 *   and with its ids and keys from inventories.
 * - Faults: a reference to an unknown organization, partner, user or device; two records with one id; an id
 *   of another organization, unless the device may move; a second user with the same email; a filter that is
 *   invalid in its organization; more software titles than an organization may have (`title-quota.ts`),
 *   counting those it already has. At most 100 faults are reported.
 * - `moved` counts devices that changed organization.
 * - Errors of the source are rethrown, and nothing is written.
 */
export type FleetWriter = (
  source: AsyncIterable<LocatedRecord> | Iterable<LocatedRecord>,
  onProgress?: (records: number) => void,
  makeEntry?: MakeChangeEntry<[counts: FleetCounts, moved: number]>,
  options?: FleetWriterOptions,
) => Promise<Result<FleetCounts, readonly FleetFault[]>>;
