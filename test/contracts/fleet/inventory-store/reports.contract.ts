/** What every store of inventories promises of machines that report by themselves. */
import { DEVICE_STATUSES, isLasting } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, aSite, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { importInventory, isKnown, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const DAY_MS = 86_400_000;

export function testReports(backend: () => ContractBackend): void {
  const outcomeOf = async (stored: ReturnType<typeof reportInventory>) => {
    const outcome = await stored;
    if (!outcome.ok) throw new Error(`the inventory was refused: ${outcome.error}`);
    return outcome.value;
  };

  const deviceOf = async (orgId: OrgId, id: DeviceId) => {
    const found = await backend().deviceReader.find(orgScope(orgId), id);
    if (found === null) throw new Error('there is no such device');
    return found.device;
  };

  describe('InventoryStore, reports', () => {
    test.each([
      ['from a correct clock', SOME_INSTANT - 1_000],
      ['from a clock that is days behind', SOME_INSTANT - 9 * DAY_MS],
      ['from a clock that is days ahead', SOME_INSTANT + 9 * DAY_MS],
      ['without a date', null],
    ])('a report %s makes its device online, seen at the time of the service', async (_what, takenAt) => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory({}, { takenAt });
      const { deviceId } = await outcomeOf(reportInventory(backend(), orgId, inventory, SOME_INSTANT));
      expect(await deviceOf(orgId, deviceId)).toMatchObject({ status: 'online', lastSeenAt: SOME_INSTANT });
      const later = SOME_INSTANT + 60_000;
      await reportInventory(backend(), orgId, { ...inventory, kind: 'partial', fields: {} }, later);
      expect(await deviceOf(orgId, deviceId)).toMatchObject({
        status: 'online',
        lastSeenAt: later,
        enrolledAt: SOME_INSTANT,
      });
    });

    test('a report sets the address of its device; without an address, the last one stays', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      const partial = { ...inventory, kind: 'partial', fields: {} } as const;
      const seen = [];
      for (const [reported, ip] of [
        [inventory, '203.0.113.7'],
        [inventory, null],
        [partial, '2001:DB8::7'],
      ] as const) {
        const reading = {
          orgId,
          siteId: null,
          source: 'report',
          inventory: reported,
          ip,
          now: SOME_INSTANT,
        } as const;
        const { deviceId } = await outcomeOf(backend().inventoryStore.store(reading));
        seen.push((await deviceOf(orgId, deviceId)).lastSeenIp);
      }
      await importInventory(backend(), orgId, inventory, SOME_INSTANT);
      expect(seen).toStrictEqual(['203.0.113.7', '203.0.113.7', '2001:DB8::7']);
    });

    test.each(DEVICE_STATUSES)(
      'a report makes a device that is %s seen, and online unless its status lasts',
      async (status) => {
        const { orgId } = await createTenant(backend());
        const inventory = anInventory();
        const { deviceId: id } = await outcomeOf(reportInventory(backend(), orgId, inventory, SOME_INSTANT));
        await loadFleet(backend(), [aDevice({ id, orgId, status })]);
        const later = SOME_INSTANT + DAY_MS;
        await reportInventory(backend(), orgId, inventory, later);
        expect(await deviceOf(orgId, id)).toMatchObject({
          status: isLasting(status) ? status : 'online',
          lastSeenAt: later,
        });
      },
    );

    test('the first report of a device is told, whether the device was known before or not', async () => {
      const { orgId } = await createTenant(backend());
      const [fresh, imported] = [anInventory(), anInventory()];
      await importInventory(backend(), orgId, imported, SOME_INSTANT);
      const outcomes = [];
      for (const [by, inventory] of [
        [reportInventory, fresh],
        [reportInventory, fresh],
        [reportInventory, imported],
        [importInventory, imported],
        [reportInventory, imported],
      ] as const) {
        const { created, isFirstReport } = await outcomeOf(by(backend(), orgId, inventory, SOME_INSTANT));
        outcomes.push({ created, isFirstReport });
      }
      expect(outcomes).toStrictEqual([
        { created: true, isFirstReport: true },
        { created: false, isFirstReport: false },
        { created: false, isFirstReport: true },
        { created: false, isFirstReport: false },
        { created: false, isFirstReport: false },
      ]);
    });

    test('only one of ten concurrent first reports counts as the first', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () =>
          outcomeOf(reportInventory(backend(), orgId, inventory, SOME_INSTANT)),
        ),
      );
      expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
      expect(outcomes.filter(({ isFirstReport }) => isFirstReport)).toHaveLength(1);
    });

    test('nothing is audited if there is no entry to make', async () => {
      const { orgId } = await createTenant(backend());
      const before = (await backend().auditEntries()).length;
      await outcomeOf(reportInventory(backend(), orgId, anInventory(), SOME_INSTANT, () => null));
      expect(await backend().auditEntries()).toHaveLength(before);
    });
  });

  describe('InventoryStore, sites', () => {
    const storeAt = async (orgId: OrgId, siteId: Parameters<typeof aSite>[0]['id'] | null) =>
      backend().inventoryStore.store({
        orgId,
        siteId: siteId ?? null,
        source: 'report',
        inventory: anInventory({}, { inventoryId: 'pc-1' }),
        now: SOME_INSTANT,
      });

    test('a device is at the site that was named last', async () => {
      const { orgId } = await createTenant(backend());
      const [one, other] = [aSite({ orgId }), aSite({ orgId })];
      await loadFleet(backend(), [one, other]);
      const seen = [];
      for (const siteId of [null, one.id, null, other.id]) {
        const { deviceId } = await outcomeOf(storeAt(orgId, siteId));
        seen.push((await deviceOf(orgId, deviceId)).siteId);
      }
      expect(seen).toStrictEqual([null, one.id, one.id, other.id]);
    });

    test('an unknown site, or one of another organization, is refused and changes nothing', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      const [orgId = newId(), elsewhere = newId()] = orgIds;
      const foreign = aSite({ orgId: elsewhere });
      await loadFleet(backend(), [foreign]);
      for (const siteId of [foreign.id, newId<'site'>()]) {
        expect(await storeAt(orgId, siteId)).toStrictEqual(err('unknown-site'));
      }
      expect(await isKnown(backend(), orgId, 'pc-1')).toBe(false);
    });
  });
}
