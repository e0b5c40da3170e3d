/** What every store of inventories promises of agents that make contact between their reports. */
import { DEVICE_STATUSES, isLasting } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { importInventory, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LATER = SOME_INSTANT + HOUR_MS;

export function testContacts(backend: () => ContractBackend): void {
  const storedBy = async (by: typeof reportInventory, orgId: OrgId, inventory: DeviceInventory) => {
    const stored = await by(backend(), orgId, inventory, SOME_INSTANT);
    if (!stored.ok) throw new Error('the inventory was refused');
    return stored.value.deviceId;
  };

  const deviceOf = async (orgId: OrgId, id: DeviceId) =>
    (await backend().deviceReader.find(orgScope(orgId), id))?.device;

  const contact = (orgId: OrgId, { inventoryId }: DeviceInventory, now: EpochMs, ip?: string | null) =>
    backend().inventoryStore.contact({ orgId, inventoryId, now, ...(ip !== undefined && { ip }) });

  describe('InventoryStore, contacts', () => {
    test.each(DEVICE_STATUSES)(
      'a contact makes a device that is %s seen, and online unless its status lasts',
      async (status) => {
        const { orgId } = await createTenant(backend());
        const inventory = anInventory();
        const id = await storedBy(reportInventory, orgId, inventory);
        await loadFleet(backend(), [aDevice({ id, orgId, status, lastSeenAt: SOME_INSTANT })]);
        for (const now of [LATER, LATER + MINUTE_MS, SOME_INSTANT - HOUR_MS]) {
          expect(await contact(orgId, inventory, now)).toStrictEqual({ inventoriedAt: SOME_INSTANT });
          expect(await deviceOf(orgId, id)).toMatchObject({
            status: isLasting(status) ? status : 'online',
            lastSeenAt: now,
          });
        }
      },
    );

    test('a contact changes nothing else of its device but the address', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory({ osVersion: '11', uptimeSeconds: 60 });
      const id = await storedBy(reportInventory, orgId, inventory);
      const before = await deviceOf(orgId, id);
      const seen = [];
      for (const ip of ['203.0.113.7', '203.0.113.7', null, undefined, '2001:DB8::7']) {
        await contact(orgId, inventory, LATER, ip);
        const after = await deviceOf(orgId, id);
        seen.push(after?.lastSeenIp);
        expect(after).toStrictEqual({ ...before, lastSeenAt: LATER, lastSeenIp: after?.lastSeenIp });
      }
      expect(seen).toStrictEqual([...Array(4).fill('203.0.113.7'), '2001:DB8::7']);
    });

    test('a later report, import or load overrides when the device was seen', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory({}, { takenAt: SOME_INSTANT - HOUR_MS });
      const id = await storedBy(reportInventory, orgId, inventory);
      await contact(orgId, inventory, LATER);
      await storedBy(reportInventory, orgId, inventory);
      expect(await deviceOf(orgId, id)).toMatchObject({ lastSeenAt: SOME_INSTANT });
      await contact(orgId, inventory, LATER);
      await storedBy(importInventory, orgId, inventory);
      expect(await deviceOf(orgId, id)).toMatchObject({ lastSeenAt: SOME_INSTANT - HOUR_MS });
      const loaded = aDevice({ id, orgId, lastSeenAt: SOME_INSTANT });
      for (let n = 0; n < 2; n++) {
        await contact(orgId, inventory, LATER);
        await loadFleet(backend(), [loaded]);
        expect(await deviceOf(orgId, id)).toMatchObject({ lastSeenAt: SOME_INSTANT });
      }
    });

    test('a contact finds its device by every inventoryId it ever used, and by no other', async () => {
      const { orgId } = await createTenant(backend());
      const hardware = { ...anInventory().fields.hardware, serialNumber: 'SN-4711' };
      const [old, now] = [anInventory({ hardware }), anInventory({ hardware })];
      expect(await storedBy(reportInventory, orgId, old)).toBe(await storedBy(reportInventory, orgId, now));
      for (const known of [old, now]) expect(await contact(orgId, known, LATER)).not.toBeNull();
      expect(await contact(orgId, { ...now, inventoryId: now.inventoryId.toUpperCase() }, LATER)).toBeNull();
      expect(await contact(orgId, anInventory(), LATER)).toBeNull();
    });

    test('a contact with the inventoryId of another organization finds no device, and changes nothing', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      const [orgId = newId(), elsewhere = newId()] = orgIds;
      const inventory = anInventory();
      const id = await storedBy(reportInventory, orgId, inventory);
      for (const stranger of [elsewhere, newId<'organization'>()]) {
        expect(await contact(stranger, inventory, LATER, '203.0.113.7')).toBeNull();
      }
      expect(await deviceOf(orgId, id)).toMatchObject({ lastSeenAt: SOME_INSTANT, lastSeenIp: null });
    });

    test('a contact of a clone finds no device: only an inventory tells clones apart', async () => {
      const { orgId } = await createTenant(backend());
      const clone = (serialNumber: string) =>
        anInventory(
          { hardware: { ...anInventory().fields.hardware, serialNumber } },
          { inventoryId: 'image' },
        );
      const ids = [];
      for (const serial of ['SN-1', 'SN-2']) ids.push(await storedBy(reportInventory, orgId, clone(serial)));
      expect(new Set(ids).size).toBe(2);
      expect(await contact(orgId, clone('SN-1'), LATER)).toBeNull();
      for (const id of ids) expect(await deviceOf(orgId, id)).toMatchObject({ lastSeenAt: SOME_INSTANT });
    });
  });

  describe('InventoryStore, when the inventory was sent that was due', () => {
    const partial = { kind: 'partial', fields: {} } as const;

    test.each<[string, Partial<DeviceInventory>, number, boolean]>([
      ['a full inventory counts at any time', {}, 1, true],
      ['a partial inventory does not count before it is due', partial, 23, false],
      ['a partial inventory counts when it is due, as it leaves out what has not changed', partial, 24, true],
    ])('%s', async (_what, part, hours, counts) => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      await storedBy(reportInventory, orgId, inventory);
      const now = SOME_INSTANT + hours * HOUR_MS;
      await reportInventory(backend(), orgId, { ...inventory, ...part } as DeviceInventory, now);
      expect(await contact(orgId, inventory, now)).toStrictEqual({
        inventoriedAt: counts ? now : SOME_INSTANT,
      });
    });

    test('a load sets inventoriedAt, and a load without it keeps it', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      const device = aDevice({ orgId, inventoryIds: [inventory.inventoryId] });
      await loadFleet(backend(), [device]);
      expect(await contact(orgId, inventory, LATER)).toStrictEqual({ inventoriedAt: null });
      await loadFleet(backend(), [{ ...device, inventoriedAt: SOME_INSTANT }]);
      await loadFleet(backend(), [device]);
      expect(await contact(orgId, inventory, LATER)).toStrictEqual({ inventoriedAt: SOME_INSTANT });
    });

    test('an import does not count', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      await storedBy(importInventory, orgId, inventory);
      expect(await contact(orgId, inventory, LATER)).toStrictEqual({ inventoriedAt: null });
      expect(await contact(orgId, inventory, LATER)).toStrictEqual({ inventoriedAt: null });
    });
  });
}
