/** What every store of inventories promises of full inventories. */
import { NO_HARDWARE } from '#domain/device/device.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, aDevice, anAlert, anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import type { RawCondition } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { makeInventoryQuestions, TRACES, WHOLE } from './whole-inventory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function testFullInventories(backend: () => ContractBackend): void {
  const { store, matches, listTraces } = makeInventoryQuestions(backend);

  describe('InventoryStore, full inventories', () => {
    test('creates a device with all that the inventory says', async () => {
      const tenant = await createTenant(backend());
      const outcome = await store(tenant.orgId, anInventory(WHOLE), SOME_INSTANT);
      expect(outcome).toStrictEqual(
        ok({ deviceId: outcome.ok && outcome.value.deviceId, created: true, isFirstReport: false }),
      );
      expect(await listTraces(tenant)).toStrictEqual(TRACES.map(({ field }) => field));
    });

    test('sets enrolledAt of a new device to its arrival, and no field that the inventory lacks', async () => {
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

    test.each<[string, number, string, number?]>([
      ['an hour old', SOME_INSTANT - HOUR_MS, 'online'],
      ['a millisecond under a day old', SOME_INSTANT - DAY_MS + 1, 'online'],
      ['a day old', SOME_INSTANT - DAY_MS, 'offline'],
      ['from a clock ahead', SOME_INSTANT + HOUR_MS, 'online', SOME_INSTANT],
      ['from the year 9999', Date.UTC(9999, 11, 31), 'online', SOME_INSTANT],
    ])(
      'sets status and lastSeenAt by the date of an inventory %s',
      async (_what, takenAt, status, seenAt = takenAt) => {
        const tenant = await createTenant(backend());
        await store(tenant.orgId, anInventory({}, { takenAt }), SOME_INSTANT);
        const asked: readonly RawCondition[] = [
          { field: 'status', operator: 'equals', value: status },
          { field: 'lastSeenAt', operator: 'equals', value: new Date(seenAt).toISOString() },
        ];
        expect(await matches(tenant, ...asked)).toBe(true);
      },
    );

    test('counts an inventory without a date as of its import', async () => {
      const tenant = await createTenant(backend());
      const undated = anInventory({}, { inventoryId: 'pc-1', takenAt: null });
      for (const now of [SOME_INSTANT, SOME_INSTANT + 9 * DAY_MS]) {
        await store(tenant.orgId, undated, now);
        const asked: readonly RawCondition[] = [
          { field: 'status', operator: 'equals', value: 'online' },
          { field: 'lastSeenAt', operator: 'equals', value: new Date(now).toISOString() },
        ];
        expect(await matches(tenant, ...asked)).toBe(true);
      }
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
      expect(second).toStrictEqual(
        ok({ deviceId: first.ok && first.value.deviceId, created: false, isFirstReport: false }),
      );
      expect(await listTraces(tenant)).toStrictEqual([]);
      const asked: readonly RawCondition[] = [
        { field: 'hostname', operator: 'equals', value: 'inventoried' },
        { field: 'enrolledAt', operator: 'equals', value: new Date(SOME_INSTANT).toISOString() },
        { field: 'lastSeenAt', operator: 'equals', value: new Date(later).toISOString() },
      ];
      expect(await matches(tenant, ...asked)).toBe(true);
    });

    test('keeps what inventories do not cover', async () => {
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
      expect(again).toStrictEqual(ok({ deviceId: id, created: false, isFirstReport: false }));
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

    test('keeps devices with the same inventoryId in two organizations apart', async () => {
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
    ])('takes inventoryIds that differ in %s for two devices', async (_what, inventoryId) => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const outcome = await store(tenant.orgId, anInventory({}, { inventoryId }), SOME_INSTANT);
      expect(outcome.ok && outcome.value.created).toBe(true);
    });

    test('creates one device if its inventory arrives several times at once', async () => {
      const tenant = await createTenant(backend());
      const inventory = anInventory({}, { inventoryId: 'pc-1' });
      const outcomes = await Promise.all([1, 2, 3].map(() => store(tenant.orgId, inventory, SOME_INSTANT)));
      expect(outcomes.filter((outcome) => outcome.ok && outcome.value.created)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.deviceId)).size).toBe(1);
    });

    test('refuses an unknown organization', async () => {
      expect(await store(newId(), anInventory(), SOME_INSTANT)).toStrictEqual(err('unknown-organization'));
    });

    test('is not affected by later changes to an inventory object', async () => {
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
}
