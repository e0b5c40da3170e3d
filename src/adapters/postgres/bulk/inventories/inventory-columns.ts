/** The columns of a device's own row that an inventory carries. */
import type { CopyValue } from '#adapters/postgres/bulk/copy-text.ts';
import { foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { InventoryReading } from '#application/ports/fleet/inventory-store.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import { stateAfter } from '#domain/inventory/device-inventory.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/print-instant.ts';

/** By column name; columns that the inventory does not carry are absent and keep their values. */
export function inventoryColumns(
  { inventory, source, siteId, ip = null, now }: Omit<InventoryReading, 'orgId'>,
  /** Null for a new device. */
  known: DeviceStatus | null,
): Record<string, CopyValue> {
  const { fields } = inventory;
  const { status, lastSeenAt } = stateAfter(inventory, source, now, known);
  const columns: Record<string, CopyValue> = {};
  if (status !== undefined) columns.status = status;
  if (lastSeenAt !== undefined) columns.last_seen_at = printInstantOrNull(lastSeenAt);
  if (siteId !== null) columns.site_id = siteId;
  if (fields.hostname !== undefined) {
    columns.hostname = fields.hostname;
    columns.hostname_lc = foldCase(fields.hostname);
  }
  if (fields.deviceRole !== undefined) columns.device_role = fields.deviceRole;
  if (fields.osType !== undefined) columns.os_type = fields.osType;
  if (fields.architecture !== undefined) columns.architecture = fields.architecture;
  if (fields.uptimeSeconds !== undefined) columns.uptime_seconds = fields.uptimeSeconds;
  const texts = {
    os_version: fields.osVersion,
    os_build: fields.osBuild,
    agent_version: fields.agentVersion,
    last_user: fields.lastUser,
    last_seen_ip: ip ?? undefined,
  };
  for (const [column, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    columns[column] = text;
    columns[`${column}_lc`] = foldedCompanion(text);
  }
  return columns;
}
