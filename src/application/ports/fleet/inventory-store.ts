/** Stores single inventories: what `import` uses (Contract: §9). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
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
 * Upserts one device by organization and inventoryId, as one transaction.
 *
 * - A full inventory creates the device, or replaces what inventories cover; what they do not cover (display name,
 *   tags, metrics, patches, alerts, custom values) stays. A new device's `enrolledAt` is `now`.
 * - A partial inventory changes only the members that it has, down to single members of the hardware; it is refused
 *   with `partial-for-unknown-device` if there is no such device yet.
 * - What `makeEntry` returns is recorded in the same transaction.
 * - `status` and `lastSeenAt` follow `stateFromInventory`; a status that stays (`isLasting`) is kept.
 */
export type InventoryStore = (
  orgId: OrgId,
  inventory: DeviceInventory,
  now: EpochMs,
  makeEntry?: (outcome: InventoryOutcome) => AuditEntry,
) => Promise<Result<InventoryOutcome, InventoryRefusal>>;
