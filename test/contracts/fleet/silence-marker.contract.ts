/** What every marker of silent devices promises. */
import { DEVICE_STATUSES, type DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anInventory, orgScope } from '#test/support/builders.ts';
import { importInventory, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Long before anything that other suites report. */
const LONG_AGO = Date.UTC(1990, 0, 1);
const HOUR_MS = 3_600_000;

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

  /** Marks all there are, and says how many. */
  const markAll = async (seenBefore: EpochMs, limit = 100) => {
    let count = 0;
    for (let marked = limit; marked === limit; count += marked) {
      marked = await backend().markSilent(seenBefore, limit);
    }
    return count;
  };

  describe('SilenceMarker', () => {
    test('makes a device offline that was last seen before the instant, and keeps when that was', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      await markAll(LONG_AGO);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', LONG_AGO]);
      expect(await markAll(LONG_AGO + 1)).toBe(1);
      expect(await stateOf(orgId, id)).toStrictEqual(['offline', LONG_AGO]);
      expect(await markAll(LONG_AGO + 1)).toBe(0);
    });

    test('a report makes it online again', async () => {
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

    test('leaves devices that were imported or loaded as they are', async () => {
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
    test.each(DEVICE_STATUSES)('a silent device that was %s', async (status) => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      await loadFleet(backend(), [aDevice({ id, orgId, status, lastSeenAt: LONG_AGO })]);
      await markAll(LONG_AGO + 1);
      expect(await stateOf(orgId, id)).toStrictEqual([AFTERWARDS[status], LONG_AGO]);
    });

    test('goes by the first report where a load has left out when the device was seen', async () => {
      const { orgId } = await createTenant(backend());
      const id = await storeIn(orgId, reportInventory, LONG_AGO);
      await loadFleet(backend(), [aDevice({ id, orgId, status: 'online', lastSeenAt: null })]);
      await markAll(LONG_AGO);
      expect(await stateOf(orgId, id)).toStrictEqual(['online', null]);
      await markAll(LONG_AGO + 1);
      expect(await stateOf(orgId, id)).toStrictEqual(['offline', null]);
    });

    test('marks as many as it is told, of all tenants, until none is left', async () => {
      await markAll(LONG_AGO + 1);
      const tenants = [await createTenant(backend()), await createTenant(backend())];
      for (const { orgId } of tenants) {
        for (let n = 0; n < 3; n++) await storeIn(orgId, reportInventory, LONG_AGO);
      }
      const marked = [];
      for (let n = 0; n < 4; n++) marked.push(await backend().markSilent(LONG_AGO + 1, 2));
      expect(marked).toStrictEqual([2, 2, 2, 0]);
    });

    test('counts go by it at once', async () => {
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
}
