/** What every store of inventories promises of partial inventories. */
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { PartialFields } from '#domain/inventory/device-inventory.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import type { RawCondition } from '#test/support/filters.ts';
import { createTenant } from '#test/support/tenant.ts';
import { makeInventoryQuestions, TRACES, WHOLE } from './whole-inventory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function testPartialInventories(backend: () => ContractBackend): void {
  const { store, matches, listTraces } = makeInventoryQuestions(backend);

  describe('InventoryStore, partial inventories', () => {
    const partial = (fields: PartialFields, inventoryId = 'pc-1', takenAt: number | null = SOME_INSTANT) =>
      ({ ...anInventory({}, { inventoryId, takenAt }), kind: 'partial', fields }) as const;

    test('refuses an inventory of an unknown device, and creates no device', async () => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({}, { inventoryId: 'pc-2' }), SOME_INSTANT);
      const refused = await store(tenant.orgId, partial({ hostname: 'half' }), SOME_INSTANT);
      expect(refused).toStrictEqual(err('unknown-device'));
      expect(await matches(tenant, { field: 'hostname', operator: 'equals', value: 'half' })).toBe(false);
    });

    test('refuses an inventory of a device that only another organization has', async () => {
      const tenant = await createTenant(backend(), 2);
      await store(tenant.orgIds[1] ?? newId(), anInventory({}, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const refused = await store(tenant.orgId, partial({ hostname: 'half' }), SOME_INSTANT);
      expect(refused).toStrictEqual(err('unknown-device'));
    });

    test('refuses an unknown organization before anything else', async () => {
      expect(await store(newId(), partial({}), SOME_INSTANT)).toStrictEqual(err('unknown-organization'));
    });

    test('changes only the members that the inventory has', async () => {
      const tenant = await createTenant(backend());
      const first = await store(tenant.orgId, anInventory(WHOLE, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const update = partial({ software: [{ name: 'Slack', version: null }], lastUser: null });
      const outcome = await store(tenant.orgId, update, SOME_INSTANT);
      expect(outcome).toStrictEqual(
        ok({ deviceId: first.ok && first.value.deviceId, created: false, isFirstReport: false }),
      );
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

    test.each([
      ['ada', 'AD\\Ada'],
      ['eve', 'eve'],
      ['NEW\\ada', 'NEW\\ada'],
      [undefined, 'AD\\Ada'],
    ])('that names the user %s leaves or makes it %s', async (lastUser, expected) => {
      const tenant = await createTenant(backend());
      await store(tenant.orgId, anInventory({ lastUser: 'AD\\Ada' }, { inventoryId: 'pc-1' }), SOME_INSTANT);
      const update = partial(lastUser === undefined ? {} : { lastUser });
      await store(tenant.orgId, update, SOME_INSTANT);
      expect(await matches(tenant, { field: 'lastUser', operator: 'equals', value: expected })).toBe(true);
    });

    test('does not change status and lastSeenAt without a date', async () => {
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

    test('changes status and lastSeenAt as a full inventory does', async () => {
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
