/**
 * One inventory of one device, in any format. A full inventory clears values that it does not have. A partial
 * one changes only the members that it has (Contract: §9, "Import").
 */
import {
  type Architecture,
  type Device,
  type DeviceHardware,
  type DeviceMetrics,
  type DeviceRole,
  type DeviceStatus,
  type InstalledSoftware,
  isLasting,
  type NetworkInterface,
  type OsType,
  type Volume,
} from '#domain/device/device.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

export interface InventoriedFields {
  readonly hostname: string;
  readonly deviceRole: DeviceRole;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: Architecture | null;
  readonly agentVersion: string | null;
  readonly lastUser: string | null;
  /** Null if not reported. `bootedAt` can give the uptime, too. */
  readonly uptimeSeconds: number | null;
  readonly hardware: DeviceHardware;
  readonly network: readonly NetworkInterface[];
  readonly software: readonly InstalledSoftware[];
  /** If absent, the device keeps its volumes, even in a full inventory (Contract: §13). */
  readonly volumes?: readonly Volume[];
  /** Absent metrics stay unchanged. */
  readonly metrics?: Partial<DeviceMetrics>;
}

/** As reported; `machine-keys.ts` decides which parts count. */
export interface ReportedIdentity {
  /** In the spelling of the firmware or hypervisor. */
  readonly systemUuid: string | null;
  /** Without virtual adapters. */
  readonly macAddresses: readonly string[];
}

interface InventoryHeader {
  /** The agent's id for the machine. It survives renaming, but clones share it. */
  readonly inventoryId: string;
  readonly identity: ReportedIdentity;
  readonly takenAt: EpochMs | null;
  /** Measured by the machine's clock. */
  readonly bootedAt: EpochMs | null;
  /** From the agent's configuration; added to the device's tags. */
  readonly tag: string | null;
}

export type DeviceInventory =
  | (InventoryHeader & { readonly kind: 'full'; readonly fields: InventoriedFields })
  | (InventoryHeader & { readonly kind: 'partial'; readonly fields: PartialFields });

/** Only present members change, also within `hardware`. */
export type PartialFields = Partial<Omit<InventoriedFields, 'hardware'>> & {
  readonly hardware?: Partial<DeviceHardware>;
};

/** `import`: a person imports a file. `report`: a machine reports. */
export type InventorySource = 'import' | 'report';

/** An imported inventory that is younger than this makes its device online (Contract: §9, "Import"). */
export const ONLINE_WITHIN_MS = DAY_MS;

/** `offline` if the inventory is at least a day old. */
export function statusFromInventory(takenAt: EpochMs, now: EpochMs): Device['status'] {
  return now - takenAt < ONLINE_WITHIN_MS ? 'online' : 'offline';
}

/**
 * The status, lastSeenAt and uptime after the inventory. A lasting status stays.
 * - A report means that the machine is online now, whatever its clock says.
 * - An import counts by its date.
 * - A full import without a date counts as taken now. A partial one changes neither status nor lastSeenAt.
 * The uptime counts up to the report or the import's date.
 */
export function stateAfter(
  inventory: Pick<DeviceInventory, 'kind' | 'takenAt' | 'bootedAt'>,
  source: InventorySource,
  now: EpochMs,
  /** Null for a new device. */
  known: DeviceStatus | null,
): Partial<Pick<Device, 'status' | 'lastSeenAt' | 'uptimeSeconds'>> {
  const { kind, takenAt } = inventory;
  const isKept = known !== null && isLasting(known);
  // A machine's clock may be years ahead.
  const lastSeenAt = source === 'report' ? now : Math.min(takenAt ?? now, now);
  const uptime = uptimeUpTo(lastSeenAt, inventory);
  if (source === 'import' && takenAt === null && kind === 'partial') return uptime;
  const status = source === 'report' ? 'online' : statusFromInventory(lastSeenAt, now);
  return { ...(!isKept && { status }), lastSeenAt, ...uptime };
}

/**
 * Undefined if the inventory names nobody. A partial one may leave out the section that tells the domain, so the
 * same login keeps its domain.
 */
export function lastUserAfter(
  { kind, fields: { lastUser } }: DeviceInventory,
  known: string | null,
): string | null | undefined {
  if (kind === 'full' || typeof lastUser !== 'string' || known === null) return lastUser;
  const isSame = foldCase(known).endsWith(`\\${foldCase(lastUser)}`);
  return isSame ? known : lastUser;
}

export function withTag(tags: readonly string[], tag: string | null): readonly string[] {
  return tag === null || tags.includes(tag) ? tags : [...tags, tag];
}

/** Empty if the boot time is unknown, or in the future because of a wrong clock. */
function uptimeUpTo(
  at: EpochMs,
  { bootedAt }: Pick<DeviceInventory, 'bootedAt'>,
): Partial<Pick<Device, 'uptimeSeconds'>> {
  return bootedAt === null || bootedAt > at ? {} : { uptimeSeconds: Math.floor((at - bootedAt) / 1_000) };
}

export type AgentMessage =
  /** The first message of an agent that does not yet know which protocol the service speaks. */
  | { readonly kind: 'prolog'; readonly inventoryId: string }
  | {
      readonly kind: 'contact';
      readonly inventoryId: string;
      /** In lower case. */
      readonly tasks: readonly string[];
    }
  | { readonly kind: 'inventory'; readonly inventory: DeviceInventory };

/** The only task that Fleetsift uses. */
export const INVENTORY_TASK = 'inventory';
