/** What every store of inventories promises. */
import { describe, expect, test } from 'vitest';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { InventoriedFields, PartialFields } from '#domain/inventory/device-inventory.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCustomField,
  aDevice,
  anAlert,
  anInventory,
  newId,
  orgScope,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { and, findHostnames, type RawCondition } from '#test/support/filters.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Everything that an inventory can say. */
const WHOLE: InventoriedFields = {
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
const TRACES: readonly RawCondition[] = [
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

export function testInventoryStore(backend: () => ContractBackend): void {
  const store = (...given: Parameters<ContractBackend['inventoryStore']>) =>
    backend().inventoryStore(...given);

  const matches = async ({ orgId }: Tenant, ...conditions: readonly RawCondition[]) =>
    (await findHostnames(backend(), orgScope(orgId), and(...conditions))).length > 0;

  /** Which of the conditions hold for the only device of the tenant. */
  const listTraces = async (tenant: Tenant) => {
    const held = await Promise.all(TRACES.map((trace) => matches(tenant, trace)));
    return TRACES.filter((_, i) => held[i]).map(({ field }) => field);
  };

  describe('InventoryStore, full inventories', () => {
    test('creates a device with all that the inventory says', async () => {
      const tenant = await createTenant(backend());
      const outcome = await store(tenant.orgId, anInventory(WHOLE), SOME_INSTANT);
      expect(outcome).toStrictEqual(ok({ deviceId: outcome.ok && outcome.value.deviceId, created: true }));
      expect(await listTraces(tenant)).toStrictEqual(TRACES.map(({ field }) => field));
    });

    test('gives a new device the instant of its coming as enrolledAt, and nothing that was not said', async () => {
      const tenant = await createTenant(backend());
      const now = SOME_INSTANT + 1234;
      await store(tenant.orgId, anInventory(), now);
      const field = aCustomField({ owner: { kind: 'organization', orgId: tenant.orgId }, key: 'note' });
      await loadFleet(backend(), [field]);
      const unsaid = [
        'displayName',
        'lastSeenIp',
        'isHeadless',
        'quarantinedAt',
        'metrics.cpuPercent',
        'custom.note',
      ];
      const asked: readonly RawCondition[] = [
        { field: 'enrolledAt', operator: 'equals', value: new Date(now).toISOString() },
        ...unsaid.map((key) => ({ field: key, operator: 'isNull' })),
        { field: 'tags', operator: 'isEmpty' },
        { field: 'watchdogStatus', operator: 'notIn', value: ['connected', 'failover', 'offline'] },
        ...['system.rebootRequired', 'patches.pending', 'alerts.critical'].map((key) => ({
          field: key,
          operator: 'equals',
          value: false,
        })),
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test.each([
      ['an hour old', SOME_INSTANT - HOUR_MS, 'online'],
      ['a millisecond under a day old', SOME_INSTANT - DAY_MS + 1, 'online'],
      ['a day old', SOME_INSTANT - DAY_MS, 'offline'],
      ['from a clock ahead', SOME_INSTANT + HOUR_MS, 'online'],
    ])('gives the status and lastSeenAt of an inventory %s', async (_what, takenAt, status) => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { takenAt }), SOME_INSTANT);
      const asked: readonly RawCondition[] = [
        { field: 'status', operator: 'equals', value: status },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(takenAt).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('gives a new device no lastSeenAt where the inventory has no date', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { takenAt: null }), SOME_INSTANT);
      const asked: readonly RawCondition[] = [
        { field: 'status', operator: 'equals', value: 'offline' },
        { field: 'lastSeenAt', operator: 'isNull' },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('finds its device again, clears what it no longer has, and keeps enrolledAt', async () => {
      const tenant = await createTenant(backend());
      const first = await store(tenant.orgId, anInventory(WHOLE, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const later = SOME_INSTANT + DAY_MS;
      const second = await store(
        tenant.orgId,
        anInventory({}, { inventoryId: 'pc-1', takenAt: later }),
        later,
      );
      expect(second).toStrictEqual(ok({ deviceId: first.ok && first.value.deviceId, created: false }));
      expect(await listTraces(tenant)).toStrictEqual([]);
      const asked: readonly RawCondition[] = [
        { field: 'hostname', operator: 'equals', value: 'inventoried' },
        { field: 'enrolledAt', operator: 'equals', value: new Date(SOME_INSTANT).toISOString() },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(later).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('is offline where it has no date, and keeps lastSeenAt', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-1', takenAt: null }), SOME_INSTANT);
      const asked: readonly RawCondition[] = [
        { field: 'status', operator: 'equals', value: 'offline' },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(SOME_INSTANT).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('leaves what inventories do not speak of', async () => {
      const tenant = await createTenant(backend());
      const { orgId } = tenant;
      const outcome = await store(orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const id = outcome.ok ? outcome.value.deviceId : newId<'device'>();
      await loadFleet(backend(), [
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'note' }),
        aDevice({
          id,
          orgId,
          displayName: 'Desk',
          tags: ['vpn'],
          metrics: { cpuPercent: 5, ramPercent: null, diskPercent: null },
          patches: [{ id: null, title: 'KB1', status: 'pending' }],
          custom: new Map([['note', 'kept']]),
        }),
        anAlert({ orgId, deviceId: id }),
      ]);
      const again = await store(orgId, anInventory(WHOLE, { inventoryId: 'pc-1' }), SOME_INSTANT);
      expect(again).toStrictEqual(ok({ deviceId: id, created: false }));
      const kept: readonly RawCondition[] = [
        { field: 'displayName', operator: 'equals', value: 'Desk' },
        { field: 'tags', operator: 'contains', value: 'vpn' },
        { field: 'metrics.cpuPercent', operator: 'equals', value: 5 },
        { field: 'patches.pending', operator: 'equals', value: true },
        { field: 'alerts.critical', operator: 'equals', value: true },
        { field: 'custom.note', operator: 'equals', value: 'kept' },
      ];
      expect(await matches(tenant, ...kept)).toBe(true);
      expect(await listTraces(tenant)).toStrictEqual(TRACES.map(({ field }) => field));
    });

    test('keeps the devices of two organizations apart that have one name for themselves', async () => {
      const tenant = await createTenant(backend(), 2);
      const outcomes = [];
      for (const orgId of tenant.orgIds) {
        outcomes.push(await store(orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT));
      }
      expect(outcomes.map((outcome) => outcome.ok && outcome.value.created)).toStrictEqual([true, true]);
      expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.deviceId)).size).toBe(2);
    });

    test.each([
      ['case', 'PC-1'],
      ['a space', 'pc-1 '],
    ])('takes names that differ in %s for two devices', async (_what, inventoryId) => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const outcome = await store(tenant.orgId, anInventory({}, { inventoryId }), SOME_INSTANT);
      expect(outcome.ok && outcome.value.created).toBe(true);
    });

    test('creates one device when its inventory comes twice at once', async () => {
      const tenant = await createTenant(backend());
      const inventory = anInventory({}, { inventoryId: 'pc-1' });
      const outcomes = await Promise.all([1, 2, 3].map(() => store(tenant.orgId, inventory, SOME_INSTANT)));
      expect(outcomes.filter((outcome) => outcome.ok && outcome.value.created)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.deviceId)).size).toBe(1);
    });

    test('refuses an unknown organization', async () => {
      expect(await store(newId(), anInventory(), SOME_INSTANT)).toStrictEqual(err('unknown-organization'));
    });

    test('is not touched by what is done to an inventory afterwards', async () => {
      const tenant = await createTenant(backend());
      const software = [{ name: 'Zoom', version: null }];
      const hardware = { ...NO_HARDWARE };
      await store(tenant.orgId, anInventory({ software, hardware }), SOME_INSTANT);
      software.push({ name: 'changed', version: null });
      hardware.model = 'changed';
      expect(
        await matches(tenant, { field: 'software.installed', operator: 'equals', value: 'changed' }),
      ).toBe(false);
      expect(await matches(tenant, { field: 'hardware.model', operator: 'isNotNull' })).toBe(false);
    });
  });

  describe('InventoryStore, partial inventories', () => {
    const partial = (fields: PartialFields, inventoryId = 'pc-1', takenAt: number | null = SOME_INSTANT) =>
      ({ kind: 'partial', inventoryId, takenAt, fields }) as const;

    test('refuses one of a device that is not known, and creates none', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-2' }), SOME_INSTANT);
      const refused = await store(tenant.orgId, partial({ hostname: 'half' }), SOME_INSTANT);
      expect(refused).toStrictEqual(err('partial-for-unknown-device'));
      expect(await matches(tenant, { field: 'hostname', operator: 'equals', value: 'half' })).toBe(false);
    });

    test('refuses one of a device that only another organization knows', async () => {
      const tenant = await createTenant(backend(), 2);
      await store(tenant.orgIds[1] ?? newId(), anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const refused = await store(tenant.orgId, partial({ hostname: 'half' }), SOME_INSTANT);
      expect(refused).toStrictEqual(err('partial-for-unknown-device'));
    });

    test('refuses an unknown organization before anything else', async () => {
      expect(await store(newId(), partial({}), SOME_INSTANT)).toStrictEqual(err('unknown-organization'));
    });

    test('changes the members that it carries, and no other', async () => {
      const tenant = await createTenant(backend());
      const first = await store(tenant.orgId, anInventory(WHOLE, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const update = partial({ software: [{ name: 'Slack', version: null }], lastUser: null });
      const outcome = await store(tenant.orgId, update, SOME_INSTANT);
      expect(outcome).toStrictEqual(ok({ deviceId: first.ok && first.value.deviceId, created: false }));
      const changed = ['lastUser', 'software.installed'];
      expect(await listTraces(tenant)).toStrictEqual(
        TRACES.map(({ field }) => field).filter((field) => !changed.includes(field)),
      );
      expect(await matches(tenant, { field: 'software.installed', operator: 'equals', value: 'slack' })).toBe(
        true,
      );
    });

    test('changes the hardware that it names, and clears what it names as gone', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory(WHOLE, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const hardwareOf = async () =>
        (await listTraces(tenant)).filter((field) => field.startsWith('hardware.'));
      const before = await hardwareOf();
      await store(tenant.orgId, partial({ hardware: { cpuCores: 96 } }), SOME_INSTANT);
      expect(await hardwareOf()).toStrictEqual(before.filter((field) => field !== 'hardware.cpuCores'));
      const cores: RawCondition = { field: 'hardware.cpuCores', operator: 'equals', value: 96 };
      expect(await matches(tenant, cores)).toBe(true);
      await store(tenant.orgId, partial({ hardware: { ...NO_HARDWARE, cpuCores: 8 } }), SOME_INSTANT);
      expect(await hardwareOf()).toStrictEqual(['hardware.cpuCores']);
    });

    test('leaves status and lastSeenAt as they are where it has no date', async () => {
      const tenant = await createTenant(backend());
      await store(
        tenant.orgId,
        anInventory({}, { inventoryId: 'pc-1', takenAt: SOME_INSTANT }),
        SOME_INSTANT,
      );
      await store(tenant.orgId, partial({ lastUser: 'someone' }, 'pc-1', null), SOME_INSTANT);
      const asked: readonly RawCondition[] = [
        { field: 'status', operator: 'equals', value: 'online' },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(SOME_INSTANT).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('moves status and lastSeenAt as a full one does', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const later = SOME_INSTANT + 10 * DAY_MS;
      await store(tenant.orgId, partial({}, 'pc-1', later - 2 * DAY_MS), later);
      const asked: readonly RawCondition[] = [
        { field: 'status', operator: 'equals', value: 'offline' },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(later - 2 * DAY_MS).toISOString() },
        { field: 'enrolledAt', operator: 'equals', value: new Date(SOME_INSTANT).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });
  });
}
