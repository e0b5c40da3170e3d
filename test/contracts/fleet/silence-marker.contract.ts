/** What every marker of silent devices promises. */
import { DEVICE_STATUSES, type DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, orgScope } from '#test/support/builders.ts';
import { audibleFrom, importInventory, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Long before anything that other suites report. */
const LONG_AGO = Date.UTC(1990, 0, 1);
const FAR_AHEAD = Date.UTC(2090, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function testSilenceMarker(backend: () => ContractBackend): void {
  const storeIn = async (orgId: OrgId, by: typeof reportInventory, now: EpochMs) => {
    const stored = await by(backend(), orgId, anInventory({}, { takenAt: now }), now);
    if (!stored.ok) throw new Error('the inventory was refused');
    return stored.value.deviceId;
  };

  const stateOf = async (orgId: OrgId, id: DeviceId) => {
    const found = await backend().deviceReader.find(orgScope(orgId), id);
    return [found?.device.status, found?.device.lastSeenAt];
  };

  /** Marks all silent devices, and gives their number. */
  const markAll = async (seenBefore: EpochMs, limit = 100) => {
    let count = 0;
    for (let marked = limit; marked === limit; count += marked) {
      marked = await backend().markSilent(audibleFrom(seenBefore), limit);
    }
    return count;
  };

  describe('SilenceMarker', () => {
    test('makes a device offline that was last seen before the instant, and keeps lastSeenAt', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      await markAll(LONG_AGO);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO]);
      expect(await markAll(LONG_AGO + 1)).toBe(1);
      expect(await stateOf(orgId, id)).toStrictEqual(['offline', LONG_AGO]);
      expect(await markAll(LONG_AGO + 1)).toBe(0);
    });

    test('a report makes a silent device online again', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory();
      const report = (now: EpochMs) => reportInventory(backend(), orgId, inventory, now);
      const first = await report(LONG_AGO);
      await markAll(LONG_AGO + 1);
      await report(LONG_AGO + HOUR_MS);
      expect(await markAll(LONG_AGO + HOUR_MS)).toBe(0);
      const id = first.ok ? first.value.deviceId : ('' as DeviceId);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO + HOUR_MS]);
    });

    test('does not mark devices that were imported or loaded', async () => {
      const { orgId } = await createTenant(backend());
      const imported = await storeIn(orgId, importInventory, LONG_AGO);
      const loaded = aDevice({ orgId, status: 'online', lastSeenAt: LONG_AGO });
      await loadFleet(backend(), [loaded]);
      expect(await markAll(LONG_AGO + HOUR_MS)).toBe(0);
      for (const id of [imported, loaded.id]) {
        expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO]);
      }
    });

    const AFTERWARDS: Readonly<Record<DeviceStatus, DeviceStatus>> = {
      online: 'offline',
      offline: 'offline',
      updating: 'offline',
      pending: 'offline',
      maintenance: 'maintenance',
      quarantined: 'quarantined',
      decommissioned: 'decommissioned',
    };
    test.each(DEVICE_STATUSES)(
      'marks a silent device that was %s offline unless its status lasts',
      async (status) => {
        const { orgId } = await createTenant(backend());
        const id = await storeIn(orgId, reportInventory, LONG_AGO);
        await loadFleet(backend(), [aDevice({ id, orgId, status, lastSeenAt: LONG_AGO })]);
        await markAll(LONG_AGO + 1);
        expect(await stateOf(orgId, id)).toStrictEqual([AFTERWARDS[status], LONG_AGO]);
      },
    );

    test('uses the time of the first report if a load left out when the device was seen', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      await loadFleet(backend(), [aDevice({ id, orgId, status: 'online', lastSeenAt: null })]);
      await markAll(LONG_AGO);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', null]);
      await markAll(LONG_AGO + 1);
      expect(await stateOf(orgId, id)).toStrictEqual(['offline', null]);
    });

    test('uses the limit for contacts only if the last sign came from an agent that makes them', async () => {
      const { orgId } = await createTenant(backend());
      const agents = [anInventory(), anInventory(), anInventory()] as const;
      const [contacting, reporting, replaced] = agents;
      const store = (inventory: DeviceInventory, makesContact: boolean) =>
        backend().inventoryStore.store({
          ...{ orgId, siteId: null, source: 'report', inventory, makesContact, now: LONG_AGO },
        });
      for (const agent of agents) await store(agent, agent !== reporting);
      await store(replaced, false);
      const audible = audibleFrom(LONG_AGO).contacts;
      const statuses = async () => {
        const found = [];
        for (const inventory of agents) {
          const stored = await backend().inventoryStore.store({
            ...{ orgId, siteId: null, source: 'import', now: LONG_AGO },
            inventory: { ...inventory, kind: 'partial', fields: {}, takenAt: null },
          });
          if (stored.ok) found.push((await stateOf(orgId, stored.value.deviceId))[0]);
        }
        return found;
      };
      const late = audibleFrom(LONG_AGO + 1).contacts;
      await backend().markSilent({ contacts: late, reports: audible }, 100);
      expect(await statuses()).toStrictEqual(['offline', 'online', 'online']);
      const { inventoryId } = contacting;
      await backend().inventoryStore.contact({ orgId, inventoryId, now: LONG_AGO });
      await backend().markSilent({ contacts: audible, reports: late }, 100);
      expect(await statuses()).toStrictEqual(['online', 'offline', 'offline']);
    });

    test('uses the limit for contacts if a load says so, also after loads without that', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, status: 'online', lastSeenAt: LONG_AGO });
      await loadFleet(backend(), [{ ...device, makesContact: true, reportsSince: LONG_AGO }]);
      await loadFleet(backend(), [device]);
      const audible = audibleFrom(LONG_AGO).contacts;
      await backend().markSilent({ contacts: audible, reports: audibleFrom(LONG_AGO + 1).contacts }, 100);
      expect(await stateOf(orgId, device.id)).toStrictEqual(['online', LONG_AGO]);
      await backend().markSilent({ contacts: audibleFrom(LONG_AGO + 1).contacts, reports: audible }, 100);
      expect(await stateOf(orgId, device.id)).toStrictEqual(['offline', LONG_AGO]);
    });

    test('marks an imported device once its agent has made contact', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory({}, { takenAt: LONG_AGO });
      const imported = await importInventory(backend(), orgId, inventory, LONG_AGO);
      if (!imported.ok) throw new Error('the inventory was refused');
      const { inventoryId } = inventory;
      await backend().inventoryStore.contact({ orgId, inventoryId, now: LONG_AGO });
      await markAll(LONG_AGO + 1);
      expect(await stateOf(orgId, imported.value.deviceId)).toStrictEqual(['offline', LONG_AGO]);
    });

    test('marks a device that was seen after the audible instants, as the clock was set back since', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      const span = { from: LONG_AGO - HOUR_MS, to: LONG_AGO };
      await backend().markSilent({ contacts: span, reports: span }, 100);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO]);
      const before = { from: LONG_AGO - HOUR_MS, to: LONG_AGO - 1 };
      await backend().markSilent({ contacts: before, reports: before }, 100);
      expect(await stateOf(orgId, id)).toStrictEqual(['offline', LONG_AGO]);
    });

    test('marks nothing without audible instants', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      expect(await backend().markSilent({ contacts: null, reports: null }, 100)).toBe(0);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO]);
      await markAll(LONG_AGO + 1);
    });

    test('marks devices of all tenants in batches of the given size, until none is left', async () => {
      await markAll(LONG_AGO + 1);
      const tenants = [await createTenant(backend()), await createTenant(backend())];
      for (const { orgId } of tenants) {
        for (let n = 0; n < 3; n++) await storeIn(orgId, reportInventory, LONG_AGO);
      }
      const marked = [];
      for (let n = 0; n < 4; n++) marked.push(await backend().markSilent(audibleFrom(LONG_AGO + 1), 2));
      expect(marked).toStrictEqual([2, 2, 2, 0]);
    });

    test('shows the change in counts at once', async () => {
      const { orgId } = await createTenant(backend());
      await storeIn(orgId, reportInventory, LONG_AGO);
      await markAll(LONG_AGO + 1);
      const scope = orgScope(orgId);
      const summary = await backend().fleetCounter.summary(
        { scope, onBehalfOf: 'test' },
        { days7: LONG_AGO, days30: LONG_AGO },
      );
      expect(summary).toMatchObject({ ok: true, value: { devices: { byStatus: { offline: 1 } } } });
    });
  });

  test('HearingNotes remember since when they were made without a break, for every caller', async () => {
    const notes = [];
    // Later than the notes of other tests of this backend.
    for (const minutes of [0, 6, 60, 61, 10, 10]) {
      const { since } = await backend().noteHearing(FAR_AHEAD + minutes * MINUTE_MS, MINUTE_MS);
      notes.push([since.contacts, since.reports].map((at) => (at - FAR_AHEAD) / MINUTE_MS));
    }
    expect(notes).toStrictEqual([
      [0, 0],
      [0, 0],
      [60, 0],
      [60, 0],
      [10, 0],
      [10, 0],
    ]);
  });
}
