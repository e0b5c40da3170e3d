import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { TitleLimit } from '#domain/device/title-quota.ts';
import type { DeviceId, OrgId, SiteId } from '#domain/ids.ts';
import type { DeviceInventory, InventorySource } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

export interface InventoryReading {
  readonly orgId: OrgId;
  /** The device's new site; null leaves it unchanged. */
  readonly siteId: SiteId | null;
  readonly source: InventorySource;
  readonly inventory: DeviceInventory;
  /** Stored as `lastSeenIp`. Absent or null keeps the known address. */
  readonly ip?: string | null;
  /** True if the agent makes contact between its reports. Default: false. Ignored for imports. */
  readonly makesContact?: boolean;
  /** Hours until the next inventory is due. Default: 24. */
  readonly expirationHours?: number;
  readonly now: EpochMs;
}

/** A sign of life without an inventory. */
export interface ContactReading extends Pick<InventoryReading, 'orgId' | 'ip' | 'now'> {
  readonly inventoryId: string;
}

export interface ContactOutcome {
  /** When the agent last sent an inventory that was due; null if it never did. */
  readonly inventoriedAt: EpochMs | null;
}

/**
 * `unknown-device`: a partial inventory of no known device. A `TitleLimit`: the organization would exceed its limit of
 * software titles.
 */
export type InventoryRefusal = 'unknown-organization' | 'unknown-site' | 'unknown-device' | TitleLimit;

export interface InventoryOutcome {
  readonly deviceId: DeviceId;
  readonly created: boolean;
  /** Always false for imports. */
  readonly isFirstReport: boolean;
}

/** Stores inventories for `import` and agents (Contract: §9, §13). */
export interface InventoryStore {
  /**
   * Creates or updates the inventory's device in one transaction.
   * - `findMachine` picks the device within the organization. The inventory's inventoryId is added to those
   *   of the device. Simultaneous inventories of one new machine make one device.
   * - A full inventory creates the device, or replaces everything that inventories cover. Display name,
   *   patches, alerts and custom values do not change, nor do volumes and single metrics that the inventory
   *   lacks. The inventory's tag is added to the device's tags. A new device's `enrolledAt` is `now`.
   * - A partial inventory changes only the members it has, down to single hardware members.
   * - `status`, `lastSeenAt` and `uptimeSeconds` follow `stateAfter`; lasting statuses (`isLasting`) do not
   *   change.
   * - A report that is full, or that comes when an inventory is due (`isInventoryDue`), sets `inventoriedAt`
   *   to `now`.
   * - An inventory that adds titles is refused if the organization would exceed its quota (`title-quota.ts`).
   *   Simultaneous inventories do not exceed the quota either.
   * - A refusal changes nothing.
   * - Rejects, without any change, if another transaction, such as a load, keeps a lock on the device.
   */
  store(
    reading: InventoryReading,
    makeEntry?: MakeChangeEntry<[outcome: InventoryOutcome]>,
  ): Promise<Result<InventoryOutcome, InventoryRefusal>>;
  /**
   * Sets the device online, unless its status is lasting, with `lastSeenAt` and `lastSeenIp` as for a report.
   * Null, without any change, if no device of the organization ever used the inventoryId, or if several did.
   * Clones share an inventoryId, and only an inventory tells them apart.
   */
  contact(reading: ContactReading): Promise<ContactOutcome | null>;
}
