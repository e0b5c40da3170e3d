/** Stores what single inventories say of machines: what `import` and the endpoint of agents use (Contract: §9, §13). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { TitleLimit } from '#domain/device/title-quota.ts';
import type { DeviceId, OrgId, SiteId } from '#domain/ids.ts';
import type { DeviceInventory, InventorySource } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** An inventory, and where it came in. */
export interface InventoryReading {
  readonly orgId: OrgId;
  /** A site of the organization where the device is from now on; null leaves it where it is. */
  readonly siteId: SiteId | null;
  readonly source: InventorySource;
  readonly inventory: DeviceInventory;
  /** The address that its machine reported from, which becomes `lastSeenIp`; absent or null leaves that as it is. */
  readonly ip?: string | null;
  readonly now: EpochMs;
}

/**
 * `unknown-device`: the inventory is partial, and there is no device that it could be of. A `TitleLimit`: with its
 * software, the organization would have more titles than it may.
 */
export type InventoryRefusal = 'unknown-organization' | 'unknown-site' | 'unknown-device' | TitleLimit;

/** The device that the inventory is of, and whether it is new. */
export interface InventoryOutcome {
  readonly deviceId: DeviceId;
  readonly created: boolean;
  /** Whether the device reports for the first time by itself, created or not; false of an import. */
  readonly isFirstReport: boolean;
}

/** Finds the device behind an inventory, or makes one; each inventory is one transaction. */
export interface InventoryStore {
  /**
   * Creates or updates the device that the inventory is of, as one transaction.
   *
   * - The device is the one that `findMachine` picks of its organization's. Its inventoryId is kept beside any that the
   *   device had before, so that the device is found by all of them. However many inventories of one new machine come
   *   at once, there is one device.
   * - A full inventory creates the device, or replaces what inventories cover; what they do not cover (display name,
   *   tags, metrics, patches, alerts, custom values) stays. A new device's `enrolledAt` is `now`.
   * - A partial inventory changes only the members that it has, down to single members of the hardware.
   * - `status` and `lastSeenAt` follow `stateAfter`; a status that stays (`isLasting`) is kept.
   * - What `makeEntry` returns, unless null, is recorded in the same transaction.
   * - The titles of software that devices of the organization have afterwards are within its quota (`title-quota.ts`),
   *   unless the inventory adds none. Inventories that come at once exceed it no more than single ones do.
   * - A refusal changes nothing.
   * - Rejects if somebody else, such as a load, keeps holding the device; then nothing is changed, either.
   */
  store(
    reading: InventoryReading,
    makeEntry?: (outcome: InventoryOutcome) => AuditEntry | null,
  ): Promise<Result<InventoryOutcome, InventoryRefusal>>;
  /** Whether a device of the organization has ever gone by this inventoryId. */
  knows(orgId: OrgId, inventoryId: string): Promise<boolean>;
}
