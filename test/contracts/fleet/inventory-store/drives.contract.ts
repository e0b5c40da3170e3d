/** What every store of inventories promises of volumes, metrics, uptime and the agent's tag (Contract: §13). */
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type {
  DeviceInventory,
  InventoriedFields,
  InventorySource,
} from '#domain/inventory/device-inventory.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const C = { name: 'C:', filesystem: 'NTFS', totalGb: 100, freeGb: 4.5 };
const DATA = { name: '/data', filesystem: null, totalGb: null, freeGb: null };

const SOURCES: readonly InventorySource[] = ['import', 'report'];

export function testDrivesOfInventories(backend: () => ContractBackend): void {
  const store = async (
    orgId: OrgId,
    inventory: DeviceInventory,
    source: InventorySource = 'report',
    now = SOME_INSTANT,
  ): Promise<DeviceId> => {
    const outcome = await backend().inventoryStore.store({ orgId, siteId: null, source, inventory, now });
    if (!outcome.ok) throw new Error(`the inventory was refused: ${outcome.error}`);
    return outcome.value.deviceId;
  };

  const deviceOf = async (orgId: OrgId, id: DeviceId) => {
    const found = await backend().deviceReader.find(orgScope(orgId), id);
    if (found === null) throw new Error('there is no such device');
    return found.device;
  };

  const anInventoryOf = (fields: Partial<InventoriedFields>, header: object = {}) =>
    anInventory(fields, { inventoryId: 'pc-1', ...header });

  describe('InventoryStore, drives', () => {
    test.each(SOURCES)(
      'volumes and metrics are set by an inventory (%s), and stay if it has none',
      async (source) => {
        const { orgId } = await createTenant(backend());
        const whole = anInventoryOf({ volumes: [C, DATA], metrics: { diskPercent: 95.5, cpuPercent: 4 } });
        const id = await store(orgId, whole, source);
        const expected = {
          volumes: [C, DATA],
          metrics: { cpuPercent: 4, ramPercent: null, diskPercent: 95.5 },
        };
        expect(await deviceOf(orgId, id)).toMatchObject(expected);
        await store(orgId, anInventoryOf({}), source);
        await store(orgId, { ...anInventoryOf({}), kind: 'partial', fields: {} }, source);
        expect(await deviceOf(orgId, id)).toMatchObject(expected);
      },
    );

    test('full and partial inventories replace volumes and metrics', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, anInventoryOf({ volumes: [C, DATA], metrics: { diskPercent: 95.5 } }));
      const fields = { volumes: [DATA], metrics: { diskPercent: 12 } };
      await store(orgId, { ...anInventoryOf({}), kind: 'partial', fields });
      expect(await deviceOf(orgId, id)).toMatchObject(fields);
      await store(orgId, anInventoryOf({ volumes: [], metrics: { diskPercent: null } }));
      expect(await deviceOf(orgId, id)).toMatchObject({ volumes: [], metrics: { diskPercent: null } });
    });

    test('metrics that an inventory lacks stay', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, anInventoryOf({}));
      await loadFleet(backend(), [
        aDevice({ id, orgId, metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 3 }, volumes: [DATA] }),
      ]);
      await store(orgId, anInventoryOf({ metrics: { diskPercent: 90 } }));
      expect(await deviceOf(orgId, id)).toMatchObject({
        metrics: { cpuPercent: 1, ramPercent: 2, diskPercent: 90 },
        volumes: [DATA],
      });
    });

    test('a thousand addresses and volumes keep their order', async () => {
      const { orgId } = await createTenant(backend());
      const names = Array.from({ length: 1_000 }, (_, i) => `v${(i * 7919) % 1_000}`);
      const volumes = names.map((name) => ({ ...DATA, name }));
      const network = names.map((ipAddress) => ({ ipAddress, publicIp: null, macAddress: null }));
      const id = await store(orgId, anInventoryOf({ volumes, network }));
      expect(await deviceOf(orgId, id)).toMatchObject({ volumes, network });
    });
  });

  describe('InventoryStore, uptime', () => {
    const bootedAt = SOME_INSTANT - 90_500;
    test.each<[string, InventorySource, object, number | null]>([
      ['counts up to the arrival of a report', 'report', { bootedAt, takenAt: SOME_INSTANT - 60_000 }, 90],
      ['counts up to the date of an import', 'import', { bootedAt, takenAt: SOME_INSTANT - 60_000 }, 30],
      ['counts up to now for an import without a date', 'import', { bootedAt, takenAt: null }, 90],
      ['is unknown for a report of a boot in the future', 'report', { bootedAt: SOME_INSTANT + 1 }, null],
      [
        'is unknown for an import of a boot after its date',
        'import',
        { bootedAt, takenAt: bootedAt - 1 },
        null,
      ],
      ['is unknown for a report without a boot', 'report', { bootedAt: null }, null],
    ])('%s', async (_, source, header, uptimeSeconds) => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, anInventoryOf({}, header), source);
      expect(await deviceOf(orgId, id)).toMatchObject({ uptimeSeconds });
    });

    test('changes with a partial inventory only if it tells of a boot', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, anInventoryOf({ uptimeSeconds: 7 }));
      const partial = { ...anInventoryOf({}), kind: 'partial', fields: {} } as const;
      await store(orgId, partial);
      expect(await deviceOf(orgId, id)).toMatchObject({ uptimeSeconds: 7 });
      await store(orgId, { ...partial, bootedAt });
      expect(await deviceOf(orgId, id)).toMatchObject({ uptimeSeconds: 90 });
    });
  });

  test('InventoryStore adds the tag of the agent, once, to those of people', async () => {
    const { orgId } = await createTenant(backend());
    const id = await store(orgId, anInventoryOf({}, { tag: 'kiosk' }));
    expect(await deviceOf(orgId, id)).toMatchObject({ tags: ['kiosk'] });
    await loadFleet(backend(), [aDevice({ id, orgId, tags: ['vip'] })]);
    for (const tag of ['kiosk', 'kiosk', null]) await store(orgId, anInventoryOf({}, { tag }));
    expect(await deviceOf(orgId, id)).toMatchObject({ tags: ['vip', 'kiosk'] });
  });
}
