/** Puts single inventories in: what `import` uses. */
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

export type InventoryRefusal = 'unknown-organization' | 'partial-for-unknown-device';

export interface InventoryOutcome {
  readonly deviceId: DeviceId;
  readonly created: boolean;
}

/**
 * Upserts one device by (organization, inventoryId) as one transaction.
 *
 * - A full inventory creates the device or replaces what inventories speak of; what they do not speak of
 *   (display name, tags, metrics, patches, alerts, custom values) stays. `enrolledAt` of a new device is `now`.
 * - A partial inventory changes only the members it carries, and `partial-for-unknown-device` refuses it where
 *   there is no such device yet.
 * - `status` and `lastSeenAt` follow `stateFromInventory`; of partial hardware only the named members change.
 */
export type InventoryStore = (
  orgId: OrgId,
  inventory: DeviceInventory,
  now: EpochMs,
) => Promise<Result<InventoryOutcome, InventoryRefusal>>;
