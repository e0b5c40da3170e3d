/** An inventory with every field, and how to see its effects. */
import type { InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { OrgId } from '#domain/ids.ts';
import type { DeviceInventory, InventoriedFields } from '#domain/inventory/device-inventory.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { orgScope } from '#test/support/builders.ts';
import { and, findHostnames, type RawCondition } from '#test/support/filters.ts';
import { importInventory } from '#test/support/inventories.ts';
import type { Tenant } from '#test/support/tenant.ts';

/** Every field of an inventory. */
export const WHOLE: InventoriedFields = {
  hostname: 'whole',
  deviceRole: 'server',
  osType: 'linux',
  osVersion: '12',
  osBuild: '6.1',
  architecture: 'x64',
  agentVersion: '1.9',
  lastUser: 'sam',
  uptimeSeconds: 3600,
  hardware: {
    manufacturer: 'Dell',
    model: 'R740',
    serialNumber: 'SN1',
    cpuModel: 'Xeon',
    gpuModel: 'Matrox',
    cpuCores: 8,
    ramTotalMb: 65536,
    diskTotalGb: 480,
  },
  network: [{ ipAddress: '10.0.0.1', publicIp: '203.0.113.7', macAddress: 'AA:BB:CC:DD:EE:FF' }],
  software: [{ name: 'Zoom', version: '1.0' }],
};

/** One condition for each member of `WHOLE`, true of it and of nothing else. */
export const TRACES: readonly RawCondition[] = [
  { field: 'hostname', operator: 'equals', value: 'whole' },
  { field: 'deviceRole', operator: 'equals', value: 'server' },
  { field: 'osType', operator: 'equals', value: 'linux' },
  { field: 'osVersion', operator: 'equals', value: '12' },
  { field: 'osBuild', operator: 'equals', value: '6.1' },
  { field: 'architecture', operator: 'equals', value: 'x64' },
  { field: 'agentVersion', operator: 'equals', value: '1.9' },
  { field: 'lastUser', operator: 'equals', value: 'sam' },
  { field: 'uptimeSeconds', operator: 'equals', value: 3600 },
  { field: 'hardware.manufacturer', operator: 'equals', value: 'Dell' },
  { field: 'hardware.model', operator: 'equals', value: 'R740' },
  { field: 'hardware.serialNumber', operator: 'equals', value: 'SN1' },
  { field: 'hardware.cpuModel', operator: 'equals', value: 'Xeon' },
  { field: 'hardware.gpuModel', operator: 'equals', value: 'Matrox' },
  { field: 'hardware.cpuCores', operator: 'equals', value: 8 },
  { field: 'hardware.ramTotalMb', operator: 'equals', value: 65536 },
  { field: 'hardware.diskTotalGb', operator: 'equals', value: 480 },
  { field: 'network.ipAddress', operator: 'equals', value: '10.0.0.1' },
  { field: 'network.publicIp', operator: 'equals', value: '203.0.113.7' },
  { field: 'network.macAddress', operator: 'equals', value: 'AA:BB:CC:DD:EE:FF' },
  { field: 'software.installed', operator: 'equals', value: 'zoom' },
];

export interface InventoryQuestions {
  /** Imports it. */
  store(orgId: OrgId, inventory: DeviceInventory, now: EpochMs): ReturnType<InventoryStore['store']>;
  /** Whether the only device of the tenant fulfils all of these. */
  matches(tenant: Tenant, ...conditions: readonly RawCondition[]): Promise<boolean>;
  /** The fields of `TRACES` whose conditions hold for the only device of the tenant. */
  listTraces(tenant: Tenant): Promise<readonly string[]>;
}

export function makeInventoryQuestions(backend: () => ContractBackend): InventoryQuestions {
  const store: InventoryQuestions['store'] = (orgId, inventory, now) =>
    importInventory(backend(), orgId, inventory, now);

  const matches = async ({ orgId }: Tenant, ...conditions: readonly RawCondition[]) =>
    (await findHostnames(backend(), orgScope(orgId), and(...conditions))).length > 0;

  /** The conditions that hold for the only device of the tenant. */
  const listTraces = async (tenant: Tenant) => {
    const held = await Promise.all(TRACES.map((trace) => matches(tenant, trace)));
    return TRACES.filter((_, i) => held[i]).map(({ field }) => field);
  };

  return { store, matches, listTraces };
}
