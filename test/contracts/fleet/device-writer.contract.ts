/** What every writer of devices promises. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { makeSearcherQuestions } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  anAuditEntry,
  anInventory,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { importInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { testDeviceEnds } from './device-writer/ends.contract.ts';

const HOSTILE = [
  'null',
  'NULL',
  ' led by a space',
  'a,b',
  '{}',
  '"',
  '\\',
  'two\nlines',
  '🖨',
  "it's",
  'tab\t',
  'Ärger',
];

const CUSTOM: ReadonlyMap<string, CustomValue> = new Map<string, CustomValue>([
  ['code', 'R1'],
  ['since', '2026-02-10'],
  ['seats', 4],
  ['is_leased', false],
  ['nested', { a: [1, null, { b: 'c' }] }],
]);

export function testDeviceWriter(backend: () => ContractBackend): void {
  testDeviceEnds(backend);

  const find = async (id: DeviceId) => (await backend().deviceReader.find(SYSTEM_SCOPE, id))?.device;

  const load = async (given: Partial<DeviceRecord> = {}) => {
    const tenant = await createTenant(backend(), 2);
    const device = aDevice({
      orgId: tenant.orgId,
      hostname: 'Reported-1',
      displayName: 'Front desk',
      tags: ['kiosk'],
      custom: CUSTOM,
      software: [{ name: 'Word', version: '1' }],
      network: [{ ipAddress: '192.0.2.1', publicIp: null, macAddress: null }],
      metrics: { cpuPercent: 1.5, ramPercent: null, diskPercent: 99 },
      ...given,
    });
    await loadFleet(backend(), [device]);
    return { tenant, device };
  };

  const change = (
    id: DeviceId,
    next: Partial<ChangeableDevice>,
    scope: AccessScope = SYSTEM_SCOPE,
  ): Promise<void> =>
    backend().unitOfWork(scope, async (tx) => {
      const current = await tx.devices.findForUpdate(id);
      if (current === null) throw new Error('the device was not found');
      await tx.devices.replace({ ...current, ...next });
    });

  describe('DeviceWriter', () => {
    test.each<[string, (tenant: Tenant) => AccessScope, boolean]>([
      ['its organization', ({ orgId }) => orgScope(orgId), true],
      ['its partner', ({ partnerId, orgIds }) => partnerScope(partnerId, orgIds), true],
      [
        'a subset of the partner that has it',
        ({ partnerId, orgId }) => ({ kind: 'partner', partnerId, orgIds: [orgId], isWhole: false }),
        true,
      ],
      ['the system', () => SYSTEM_SCOPE, true],
      ['another organization of the partner', ({ orgIds }) => orgScope(orgIds[1] as OrgId), false],
      [
        'a subset of the partner that lacks it',
        ({ partnerId, orgIds }) => ({ kind: 'partner', partnerId, orgIds: orgIds.slice(1), isWhole: false }),
        false,
      ],
      ['a partner without an organization', ({ partnerId }) => partnerScope(partnerId, []), false],
      ['nobody', () => ({ kind: 'none' }), false],
    ])('finds and changes a device for %s only if it is in reach', async (_name, scopeOf, isInReach) => {
      const { tenant, device } = await load();
      const { id, orgId, displayName, tags, custom, status } = device;
      const found = await backend().unitOfWork(scopeOf(tenant), (tx) => tx.devices.findForUpdate(id));
      expect(found).toStrictEqual(isInReach ? { id, orgId, displayName, tags, custom, status } : null);
      const next = { id, orgId, displayName: 'Taken over', tags, custom, status };
      const work = backend().unitOfWork(scopeOf(tenant), (tx) => tx.devices.replace(next));
      await (isInReach ? work : expect(work).rejects.toThrow());
      expect((await find(id))?.displayName).toBe(isInReach ? 'Taken over' : 'Front desk');
    });

    test('finds nothing for an id that no device has', async () => {
      const { orgId } = await createTenant(backend());
      for (const scope of [orgScope(orgId), SYSTEM_SCOPE]) {
        expect(await backend().unitOfWork(scope, (tx) => tx.devices.findForUpdate(newId()))).toBeNull();
      }
    });

    test('moves no device to another organization', async () => {
      const { tenant, device } = await load();
      await expect(change(device.id, { orgId: tenant.orgIds[1] as OrgId })).rejects.toThrow();
      expect((await find(device.id))?.orgId).toBe(tenant.orgId);
    });

    test('changes only what people may change, not what the device reported', async () => {
      const { device } = await load();
      const before = await find(device.id);
      const custom = new Map([...CUSTOM, ['code', 'R2'] as const]);
      const next = { displayName: 'ÄNDERUNG', tags: ['a', 'b'], custom, status: 'maintenance' } as const;
      await change(device.id, next);
      expect(await find(device.id)).toStrictEqual({ ...before, ...next });
      const none = { displayName: null, tags: [], custom: new Map(), status: 'offline' } as const;
      await change(device.id, none);
      expect(await find(device.id)).toStrictEqual({ ...before, ...none });
    });

    test('keeps tags and values of any text', async () => {
      const { device } = await load();
      const custom = new Map(HOSTILE.map((text, i) => [`key_${i}`, text] as const));
      await change(device.id, { tags: HOSTILE, custom, displayName: `"'\\ 🖨` });
      expect(await find(device.id)).toMatchObject({ tags: HOSTILE, custom, displayName: `"'\\ 🖨` });
    });

    test('shows the change to filters at once, with every derived value', async () => {
      const { tenant, device } = await load({ hostname: 'one' });
      const { orgId } = tenant;
      const fields = [
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'code' }),
        aCustomField({ owner: { kind: 'organization', orgId }, key: 'since', type: 'date' }),
      ];
      await loadFleet(backend(), fields);
      const has = async (field: string, operator: string, value: unknown) =>
        (await findHostnames(backend(), orgScope(orgId), and({ field, operator, value }))).length === 1;
      await change(device.id, {
        displayName: 'KASSE Süd',
        tags: ['null', 'till'],
        custom: new Map([
          ['code', 'STRASSE'],
          ['since', '2026-03-01'],
        ]),
        status: 'decommissioned',
      });
      expect([
        await has('displayName', 'contains', 'kasse süd'),
        await has('displayName', 'contains', 'front'),
        await has('tags', 'hasAll', ['null', 'till']),
        await has('tags', 'contains', 'kiosk'),
        await has('custom.code', 'contains', 'strasse'),
        await has('custom.code', 'equals', 'R1'),
        await has('custom.since', 'equals', '2026-03-01'),
        await has('custom.since', 'before', '2026-03-01'),
        await has('status', 'equals', 'decommissioned'),
        await has('status', 'equals', 'online'),
      ]).toStrictEqual([true, false, true, false, true, false, true, false, true, false]);
    });

    test('shows the change to searches at once', async () => {
      const { tenant, device } = await load();
      const { findIds } = makeSearcherQuestions(backend);
      const search = async (text: string) => (await findIds(orgScope(tenant.orgId), text)).devices;
      expect(await search('front desk')).toStrictEqual([device.id]);
      await change(device.id, { displayName: 'KASSE Süd' });
      expect([await search('kasse s'), await search('front desk')]).toStrictEqual([[device.id], []]);
      await change(device.id, { displayName: null });
      expect([await search('kasse s'), await search('reported-1')]).toStrictEqual([[], [device.id]]);
    });

    test('sees its own change, and undoes it with its entry when the work throws', async () => {
      const { device } = await load();
      const before = await find(device.id);
      const entry = anAuditEntry();
      const seen: unknown[] = [];
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const current = await tx.devices.findForUpdate(device.id);
        if (current === null) throw new Error('the device was not found');
        await tx.devices.replace({ ...current, tags: ['mine'] });
        await tx.audit(entry);
        seen.push((await tx.devices.findForUpdate(device.id))?.tags, (await find(device.id))?.tags);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(seen).toStrictEqual([['mine'], ['kiosk']]);
      expect(await find(device.id)).toStrictEqual(before);
      expect((await backend().auditEntries()).some(({ id }) => id === entry.id)).toBe(false);
    });

    test('loses no change of ten concurrent writers, and no report in between', async () => {
      const { orgId } = await createTenant(backend());
      const inventoryId = `inventory-${newId()}`;
      const report = (lastUser: string) =>
        importInventory(
          backend(),
          orgId,
          anInventory({ hostname: 'one', lastUser }, { inventoryId }),
          SOME_INSTANT,
        );
      const created = await report('nobody');
      if (!created.ok) throw new Error('the inventory was refused');
      const { deviceId } = created.value;
      const addTag = (tag: string) =>
        backend().unitOfWork(orgScope(orgId), async (tx) => {
          const current = await tx.devices.findForUpdate(deviceId);
          if (current === null) throw new Error('the device was not found');
          await tx.devices.replace({ ...current, tags: [...current.tags, tag] });
        });
      await Promise.all([
        ...Array.from({ length: 10 }, (_, i) => addTag(`${i}`)),
        ...Array.from({ length: 5 }, () => report('reported')),
      ]);
      const after = await find(deviceId);
      expect(after?.tags.toSorted()).toStrictEqual([...'0123456789']);
      expect(after?.lastUser).toBe('reported');
    });

    test('keeps a lasting status when an inventory arrives, but no other status', async () => {
      const { orgId } = await createTenant(backend());
      const inventory = anInventory({ hostname: 'one' }, { inventoryId: `inventory-${newId()}` });
      const report = () => importInventory(backend(), orgId, inventory, SOME_INSTANT);
      const created = await report();
      if (!created.ok) throw new Error('the inventory was refused');
      const { deviceId } = created.value;
      for (const status of ['maintenance', 'decommissioned', 'quarantined'] as const) {
        await change(deviceId, { status });
        await report();
        expect((await find(deviceId))?.status).toBe(status);
      }
      await change(deviceId, { status: 'offline' });
      await report();
      expect((await find(deviceId))?.status).toBe('online');
    });

    test('a load replaces what was changed', async () => {
      const { device } = await load();
      await change(device.id, { displayName: 'By hand', tags: ['by hand'], status: 'maintenance' });
      await loadFleet(backend(), [device]);
      expect(await find(device.id)).toMatchObject({
        displayName: 'Front desk',
        tags: ['kiosk'],
        status: 'online',
      });
    });

    test('is not affected by changes to a device object that was passed in or found', async () => {
      const { device } = await load();
      const tags = ['given'];
      const custom = new Map<string, CustomValue>([['code', 'given']]);
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const current = await tx.devices.findForUpdate(device.id);
        if (current === null) throw new Error('the device was not found');
        await tx.devices.replace({ ...current, tags, custom });
        tags.push('after it was given');
        custom.set('code', 'after it was given');
        Reflect.set((await tx.devices.findForUpdate(device.id))?.tags ?? [], 0, 'after it was found');
      });
      const after = await find(device.id);
      expect([after?.tags, after?.custom]).toStrictEqual([['given'], new Map([['code', 'given']])]);
    });
  });
}
