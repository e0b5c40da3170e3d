/** How every store of inventories finds the device of an inventory. */
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { importInventory, isKnown, reportInventory } from '#test/support/inventories.ts';
import { inventoryWith, MACHINE_CASES } from '#test/support/machine-cases.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const MAC = '44:85:00:2b:90:bc';
const UUID = '4c4c4544-0034-3010-8048-b6c04f503732';

export function testMachines(backend: () => ContractBackend): void {
  /** The device of an inventory, which must be accepted. */
  const store = async (orgId: OrgId, inventory: DeviceInventory, by = importInventory): Promise<DeviceId> => {
    const stored = await by(backend(), orgId, inventory, SOME_INSTANT);
    if (!stored.ok) throw new Error(`the inventory was refused: ${stored.error}`);
    return stored.value.deviceId;
  };

  const hostnames = (orgId: OrgId) =>
    findHostnames(backend(), orgScope(orgId), and({ field: 'hostname', operator: 'isNotNull' }));

  const loadOne = async (orgId: OrgId, given: Partial<Parameters<typeof aDevice>[0]>) => {
    const device = aDevice({ orgId, ...given });
    await loadFleet(backend(), [device]);
    return device.id;
  };

  describe('InventoryStore, one machine is one device', () => {
    const cases = MACHINE_CASES.flatMap(({ name, steps }) => [
      [name, 'imported', importInventory, steps] as const,
      [name, 'reported', reportInventory, steps] as const,
    ]);
    test.each(cases)('%s (%s)', async (_name, _how, by, steps) => {
      const { orgId } = await createTenant(backend());
      const devices = new Map<string, DeviceId>();
      for (const [signs, device] of steps) {
        const id = await store(orgId, inventoryWith(signs), by);
        expect([device, devices.get(device) ?? id]).toStrictEqual([device, id]);
        devices.set(device, id);
      }
      expect(new Set(devices.values()).size).toBe(devices.size);
      expect(await hostnames(orgId)).toHaveLength(devices.size);
    });

    test('a machine that is imported and reports is one device', async () => {
      const { orgId } = await createTenant(backend());
      const imported = await store(orgId, inventoryWith({ id: 'by-hand', serial: 'S1' }));
      expect(await store(orgId, inventoryWith({ id: 'agent', serial: 'S1' }), reportInventory)).toBe(
        imported,
      );
      expect(await store(orgId, inventoryWith({ id: 'by-hand' }))).toBe(imported);
    });

    test('a serial number, UUID or address in two organizations means two devices', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      for (const signs of [
        { id: 'one', serial: 'S1' },
        { id: 'two', uuid: UUID },
        { id: 'three', macs: [MAC] },
      ]) {
        const ids = [];
        for (const orgId of orgIds) ids.push(await store(orgId, inventoryWith(signs)));
        expect(new Set(ids).size).toBe(2);
      }
      for (const orgId of orgIds) expect(await hostnames(orgId)).toStrictEqual(['one', 'three', 'two']);
    });

    test('a loaded device is found by its serial number, in any case', async () => {
      const { orgId } = await createTenant(backend());
      const hardware = { ...NO_HARDWARE, serialNumber: 'abc-Ünïx-1' };
      const id = await loadOne(orgId, { hardware });
      expect(await store(orgId, inventoryWith({ id: 'agent', serial: 'ABC-ÜNÏX-1' }))).toBe(id);
    });

    test.each([
      MAC,
      MAC.toUpperCase(),
      MAC.replaceAll(':', '-'),
      '44-85-00-2B-90-BC',
      '4485002b90bc',
      '4485.002b.90bc',
    ])('a loaded device is found by its MAC address, written as %s', async (macAddress) => {
      const { orgId } = await createTenant(backend());
      const id = await loadOne(orgId, { network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress }] });
      expect(await store(orgId, inventoryWith({ id: 'agent', macs: [MAC] }))).toBe(id);
    });

    test('a loaded device with a serial number is not found by its MAC address', async () => {
      const { orgId } = await createTenant(backend());
      const network = [{ ipAddress: null, publicIp: null, macAddress: MAC }];
      await loadOne(orgId, { network, hardware: { ...NO_HARDWARE, serialNumber: 'S1' } });
      await store(orgId, inventoryWith({ id: 'agent', macs: [MAC] }));
      expect(await hostnames(orgId)).toHaveLength(2);
    });

    test('a serial number that a load changes counts from then on', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, inventoryWith({ id: 'agent', serial: 'S1' }));
      await loadOne(orgId, { id, hardware: { ...NO_HARDWARE, serialNumber: 'S2' } });
      expect(await store(orgId, inventoryWith({ id: 'other', serial: 'S2' }))).toBe(id);
      expect(await store(orgId, inventoryWith({ id: 'agent', serial: 'S1' }))).not.toBe(id);
    });

    test('a load removes neither the deviceids of a device nor its UUID', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, inventoryWith({ id: 'agent', uuid: UUID }));
      await loadOne(orgId, { id });
      expect(await store(orgId, inventoryWith({ id: 'again', uuid: UUID }))).toBe(id);
      expect(await store(orgId, inventoryWith({ id: 'agent' }))).toBe(id);
    });

    test('a partial inventory finds its device by serial number, and keeps its UUID', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, inventoryWith({ id: 'one', serial: 'S1', uuid: UUID }));
      const partial = { ...anInventory({}, { inventoryId: 'two' }), kind: 'partial' as const };
      expect(await store(orgId, { ...partial, fields: { hardware: { serialNumber: 'S1' } } })).toBe(id);
      expect(await store(orgId, { ...partial, fields: { lastUser: 'ada' } })).toBe(id);
      expect(await store(orgId, inventoryWith({ id: 'three', uuid: UUID }))).toBe(id);
    });

    test('a partial inventory of an unknown clone is refused, and the original does not change', async () => {
      const { orgId } = await createTenant(backend());
      const id = await store(orgId, inventoryWith({ id: 'vm', serial: 'S1' }));
      const clone = {
        ...anInventory({}, { inventoryId: 'vm' }),
        kind: 'partial' as const,
        fields: { lastUser: 'mallory', hardware: { serialNumber: 'S2' } },
      };
      const refused = await importInventory(backend(), orgId, clone, SOME_INSTANT);
      expect(refused).toStrictEqual(err('unknown-device'));
      const original = await backend().deviceReader.find(orgScope(orgId), id);
      expect(original?.device).toMatchObject({ lastUser: null, hardware: { serialNumber: 'S1' } });
    });

    test('remembers every deviceid of a device, in its organization only', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      const [orgId = newId(), other = newId()] = orgIds;
      await store(orgId, inventoryWith({ id: 'old', serial: 'S1' }));
      await store(orgId, inventoryWith({ id: 'new', serial: 'S1' }));
      const asked = ['old', 'new', 'OLD', 'other'].map((id) => isKnown(backend(), orgId, id));
      expect(await Promise.all(asked)).toStrictEqual([true, true, false, false]);
      expect(await isKnown(backend(), other, 'old')).toBe(false);
      expect(await isKnown(backend(), newId(), 'old')).toBe(false);
    });

    test('ten concurrent inventories of a new machine with different deviceids create one device', async () => {
      const { orgId } = await createTenant(backend());
      const signs = Array.from({ length: 10 }, (_, n) => ({ id: `agent-${n}`, serial: 'S1', uuid: UUID }));
      const ids = await Promise.all(signs.map((each) => store(orgId, inventoryWith(each), reportInventory)));
      expect(new Set(ids).size).toBe(1);
      expect(await hostnames(orgId)).toHaveLength(1);
      expect(await store(orgId, inventoryWith({ id: 'agent-7' }))).toBe(ids[0]);
    });

    test('concurrent inventories with their keys in different orders all succeed', async () => {
      const { orgId } = await createTenant(backend());
      const signs = Array.from({ length: 20 }, (_, n) => ({
        id: `agent-${n % 3}`,
        macs: [MAC, '08:9e:01:00:00:07', '08:9e:01:00:00:09'].map((_mac, i, all) => all[(i + n) % 3] ?? MAC),
      }));
      const ids = await Promise.all(signs.map((each) => store(orgId, inventoryWith(each), reportInventory)));
      expect(new Set(ids).size).toBe(1);
    });
  });
}
