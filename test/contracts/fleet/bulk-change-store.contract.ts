/** What every store of bulk changes promises, and what the writer of devices promises for many at once. */
import type { RememberedChange } from '#application/ports/fleet/bulk-change-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditActor } from '#domain/audit/audit-entry.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Long before anything that other suites remember. */
const THEN = Date.UTC(1990, 0, 1);

const ODD: CustomValue = { a: [1, null, { b: 'c' }], '"': '\\ 🖨' };

export function testBulkChangeStore(backend: () => ContractBackend): void {
  const loadTwo = async () => {
    const tenant = await createTenant(backend(), 2);
    const [a, b] = tenant.orgIds as [OrgId, OrgId];
    const devices = [aDevice({ orgId: a }), aDevice({ orgId: a }), aDevice({ orgId: b })] as const;
    await loadFleet(backend(), devices);
    return { tenant, a, b, devices, ids: devices.map(({ id }) => id) };
  };

  const aChange = (
    orgIds: readonly OrgId[],
    devices: readonly { readonly id: DeviceId; readonly orgId: OrgId }[],
    given: Partial<RememberedChange> = {},
  ): RememberedChange => ({
    id: newId(),
    by: { type: 'user', id: newId() },
    expiresAt: THEN + 1,
    orgIds,
    devices: devices.map(({ id, orgId }) => ({
      ...{ deviceId: id, orgId },
      before: { tags: ['a', 'null', '{"}'], status: 'online', 'custom.rack': ODD },
      after: { tags: [], status: 'offline', 'custom.rack': null },
    })),
    ...given,
  });

  const remember = (change: RememberedChange, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, (tx) => tx.bulkChanges.remember(change));
  const find = (
    { id, by }: RememberedChange,
    {
      scope = SYSTEM_SCOPE,
      as = by,
      now = THEN,
    }: { scope?: AccessScope; as?: AuditActor; now?: number } = {},
  ) => backend().unitOfWork(scope, (tx) => tx.bulkChanges.findForUpdate(id, as, now));
  const byId = (found: Awaited<ReturnType<typeof find>>) =>
    found?.devices.toSorted((x, y) => (x.deviceId < y.deviceId ? -1 : 1));

  describe('BulkChangeStore', () => {
    test('finds a remembered change with all its values', async () => {
      const { a, b, devices } = await loadTwo();
      const change = aChange([a, b], devices);
      await remember(change);
      const found = await find(change);
      expect(found?.remaining).toBe(3);
      expect(byId(found)).toStrictEqual(byId({ devices: change.devices, remaining: 3 }));
    });

    test('finds a change without devices', async () => {
      const { a } = await loadTwo();
      const change = aChange([a], []);
      await remember(change);
      expect(await find(change)).toStrictEqual({ devices: [], remaining: 0 });
    });

    test.each<[string, (own: AuditActor) => AuditActor, boolean]>([
      ['its own actor', (own) => own, true],
      ['another user', () => ({ type: 'user', id: newId() }), false],
      ['a key with the same id', (own) => ({ type: 'api_key', id: String(own.id) }), false],
      ['the system', () => ({ type: 'system', id: null }), false],
    ])('gives the change to %s: %s', async (_name, as, isFound) => {
      const { a, devices } = await loadTwo();
      const change = aChange([a], devices.slice(0, 2));
      await remember(change);
      expect((await find(change, { as: as(change.by) })) !== null).toBe(isFound);
    });

    test("finds the system's own change, and nothing once it has expired", async () => {
      const { a, devices } = await loadTwo();
      const change = aChange([a], devices.slice(0, 1), { by: { type: 'system', id: null } });
      await remember(change);
      expect(await find(change)).not.toBeNull();
      expect(await find(change, { now: change.expiresAt })).toBeNull();
      expect(await find({ ...change, id: newId() })).toBeNull();
    });

    test('shows and counts only devices in reach, and remembers none out of reach', async () => {
      const { tenant, a, b, devices } = await loadTwo();
      const stranger = await createTenant(backend());
      const change = aChange([a, b], devices);
      await remember(change, partnerScope(tenant.partnerId, tenant.orgIds));
      const found = await find(change, { scope: orgScope(b) });
      expect([found?.remaining, found?.devices]).toStrictEqual([1, [change.devices[2]]]);
      for (const scope of [orgScope(stranger.orgId), { kind: 'none' } as const]) {
        expect(await find(change, { scope })).toBeNull();
      }
      await expect(remember(aChange([a], devices.slice(0, 1)), orgScope(b))).rejects.toThrow();
    });

    test('forgets devices that were restored, and counts the rest', async () => {
      const { a, b, devices } = await loadTwo();
      const change = aChange([a, b], devices);
      await remember(change);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) =>
        tx.bulkChanges.forget(
          change.id,
          [change.devices[0], change.devices[2]].flatMap((one) => one ?? []),
        ),
      );
      const found = await find(change);
      expect([found?.remaining, found?.devices]).toStrictEqual([1, [change.devices[1]]]);
    });

    test('leaves out a device that was deleted since, but counts it as not restored', async () => {
      const { a, b, devices } = await loadTwo();
      const change = aChange([a, b], devices);
      await remember(change);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.remove(devices[0]));
      const found = await find(change);
      expect(found?.remaining).toBe(3);
      expect(byId(found)).toStrictEqual(byId({ devices: change.devices.slice(1), remaining: 3 }));
    });

    test('is undone with its transaction', async () => {
      const { a, devices } = await loadTwo();
      const change = aChange([a], devices.slice(0, 1));
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.bulkChanges.remember(change);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect(await find(change)).toBeNull();
    });

    test('removes expired changes in batches of the given size, until none is left', async () => {
      const { a, devices } = await loadTwo();
      await backend().removeBulkChanges(THEN + 5, 1_000);
      const over = [1, 2, 3].map((n) => aChange([a], devices.slice(0, 2), { expiresAt: THEN + n }));
      const later = aChange([a], devices.slice(0, 2), { expiresAt: THEN + 10 });
      for (const change of [...over, later]) await remember(change);
      const removed = [];
      for (let n = 0; n < 3; n++) removed.push(await backend().removeBulkChanges(THEN + 3, 2));
      expect(removed).toStrictEqual([2, 1, 0]);
      for (const change of over) expect(await find(change)).toBeNull();
      expect(await find(later)).not.toBeNull();
    });
  });

  describe('DeviceWriter for many', () => {
    const HOSTILE = ['null', ' led by a space', 'a,b', '{}', '"', '\\', 'two\nlines', '🖨', 'Ärger'];

    test('holds devices in reach, each once', async () => {
      const { tenant, a, devices, ids } = await loadTwo();
      const hold = (scope: AccessScope) =>
        backend().unitOfWork(scope, (tx) => tx.devices.hold([...ids, ...ids, newId()]));
      const idsIn = async (scope: AccessScope) => (await hold(scope)).map(({ id }) => id).toSorted();
      expect(await idsIn(SYSTEM_SCOPE)).toStrictEqual(ids.toSorted());
      expect(await idsIn(partnerScope(tenant.partnerId, tenant.orgIds))).toStrictEqual(ids.toSorted());
      expect(await idsIn(orgScope(a))).toStrictEqual(ids.slice(0, 2).toSorted());
      expect(await idsIn({ kind: 'none' })).toStrictEqual([]);
      const { id, orgId, displayName, tags, custom, status } = devices[2];
      expect((await hold(SYSTEM_SCOPE)).find((device) => device.id === id)).toStrictEqual({
        ...{ id, orgId, displayName, tags, custom, status },
      });
    });

    test('stores tags, custom values and statuses of any text, and keeps the rest', async () => {
      const { ids } = await loadTwo();
      const read = async (id: DeviceId) => (await backend().deviceReader.find(SYSTEM_SCOPE, id))?.device;
      const before = await Promise.all(ids.map(read));
      const custom = new Map<string, CustomValue>([
        ['odd', ODD],
        ...HOSTILE.map((text, i) => [`k${i}`, text] as const),
      ]);
      const next = { tags: HOSTILE, custom, status: 'maintenance' } as const;
      await backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const held = await tx.devices.hold(ids.slice(0, 2));
        await tx.devices.replaceAll(held.map((device) => ({ ...device, ...next, displayName: 'ignored' })));
      });
      const [first, second, third] = await Promise.all(ids.map(read));
      expect([first, second, third]).toStrictEqual([
        { ...before[0], ...next },
        { ...before[1], ...next },
        before[2],
      ]);
    });

    test('stores nothing at all if a device is out of reach', async () => {
      const { a, ids } = await loadTwo();
      const held = await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.devices.hold(ids));
      const work = backend().unitOfWork(orgScope(a), (tx) =>
        tx.devices.replaceAll(held.map((device) => ({ ...device, tags: ['taken over'] }))),
      );
      await expect(work).rejects.toThrow();
      for (const id of ids) {
        expect((await backend().deviceReader.find(SYSTEM_SCOPE, id))?.device.tags).not.toContain(
          'taken over',
        );
      }
    });
  });
}
