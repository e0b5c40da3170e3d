/** Changes of many devices that can still be undone (Contract: §10). */
import type { AuditActor } from '#domain/audit/audit-entry.ts';
import type { ChangedDevice } from '#domain/device/bulk-change.ts';
import type { BulkChangeId, OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface RememberedChange {
  readonly id: BulkChangeId;
  /** Only this actor can undo it. */
  readonly by: AuditActor;
  readonly expiresAt: EpochMs;
  /** Every organization that the change covered. */
  readonly orgIds: readonly OrgId[];
  readonly devices: readonly ChangedDevice[];
}

export interface UndoableChange {
  /** The devices to restore, without those that are deleted or out of reach. */
  readonly devices: readonly ChangedDevice[];
  /** How many devices in reach are not restored yet, including deleted ones. */
  readonly remaining: number;
}

/** Works within a transaction and its scope. The remembered changes of a device or organization are removed with it. */
export interface BulkChangeWriter {
  remember(change: RememberedChange): Promise<void>;
  /**
   * Locks the change until the transaction ends. Null if it is unknown, has expired by `now`, belongs to another actor,
   * or none of its organizations is in reach.
   */
  findForUpdate(id: BulkChangeId, by: AuditActor, now: EpochMs): Promise<UndoableChange | null>;
  /** Forgets devices that have been restored. */
  forget(id: BulkChangeId, devices: readonly Pick<ChangedDevice, 'deviceId' | 'orgId'>[]): Promise<void>;
}

/** Removes at most `limit` changes that have expired by `now`, across tenants. Returns their number. */
export type BulkChangeRemover = (now: EpochMs, limit: number) => Promise<number>;
