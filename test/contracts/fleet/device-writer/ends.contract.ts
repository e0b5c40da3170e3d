/** How devices end, as every writer of devices promises it: removed, or merged into another. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type Device, NO_HARDWARE } from '#domain/device/device.ts';
import { type DeviceMerge, mergeDevices } from '#domain/device/merge-devices.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { makeSearcherQuestions } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDevice,
  anAlert,
  anInventory,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const MACS = { kept: '44:85:00:2b:90:bc', gone: '44:85:00:2b:90:bd' };
const UUIDS = { kept: '4c4c4544003430108048b6c04f503732', gone: '4c4c4544003430108048b6c04f503733' };

export function testDeviceEnds(backend: () => ContractBackend): void {
  const { findIds } = makeSearcherQuestions(backend);

  const read = async (id: DeviceId) => (await backend().deviceReader.find(SYSTEM_SCOPE, id))?.device ?? null;

  /** What the machine of this name reports. */
  const nameplate = (name: keyof typeof MACS): Partial<DeviceRecord> => ({
    hardware: { ...NO_HARDWARE, serialNumber: `SERIAL-${name}` },
    network: [{ ipAddress: '192.0.2.1', publicIp: null, macAddress: MACS[name] }],
  });

  const aMachine = (orgId: OrgId, name: keyof typeof MACS, given: Partial<DeviceRecord> = {}) =>
    aDevice({
      orgId,
      hostname: `host-${name}`,
      tags: [name],
      custom: new Map([['code', name]]),
      lastUser: name,
      software: [{ name: `Suite of ${name}`, version: '1' }],
      volumes: [{ name, totalGb: 10, freeGb: 5, filesystem: null }],
      patches: [{ id: null, title: `Patch of ${name}`, status: 'pending' }],
      ...nameplate(name),
      ...given,
    });

  /** Two devices of one organization with a critical alert each, and a bystander. */
  const loadPair = async (
    given: Readonly<Record<'kept' | 'gone', Partial<DeviceRecord>>> = { kept: {}, gone: {} },
  ) => {
    const tenant = await createTenant(backend(), 2);
    const { orgId } = tenant;
    const [kept, gone] = [aMachine(orgId, 'kept', given.kept), aMachine(orgId, 'gone', given.gone)];
    const bystander = aDevice({ orgId, hostname: 'bystander' });
    const [ofKept, ofGone] = [kept, gone].map(({ id: deviceId }) => anAlert({ orgId, deviceId }));
    if (ofKept === undefined || ofGone === undefined) throw new Error('there are two');
    await loadFleet(backend(), [kept, gone, bystander, ofKept, ofGone]);
    return { tenant, kept, gone, bystander, alerts: { kept: ofKept.id, gone: ofGone.id } };
  };

  const merge = (kept: Device | DeviceRecord, gone: Pick<Device, 'id'>, given: Partial<DeviceMerge> = {}) =>
    backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const found = await tx.devices.findAllForUpdate([kept.id, gone.id]);
      const [device, its] = [kept, gone].map(({ id }) => found.find((one) => one.id === id));
      if (device === undefined || its === undefined) throw new Error('they were loaded');
      await tx.devices.merge({ ...mergeDevices(device, its, new Map()), ...given });
    });

  const remove = ({ id, orgId }: Pick<Device, 'id' | 'orgId'>, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, (tx) => tx.devices.remove({ id, orgId }));

  /** The device of a report, and whether it is new. */
  const report = async (
    orgId: OrgId,
    fields: Parameters<typeof anInventory>[0],
    header: Parameters<typeof anInventory>[1] = {},
  ) => {
    const stored = await reportInventory(backend(), orgId, anInventory(fields, header), SOME_INSTANT);
    if (!stored.ok) throw new Error(`the report was refused: ${stored.error}`);
    return stored.value.deviceId;
  };

  const hostnames = (orgId: OrgId) =>
    findHostnames(backend(), orgScope(orgId), and({ field: 'hostname', operator: 'isNotNull' }));

  const alertsOf = async (id: DeviceId) =>
    (await backend().deviceReader.find(SYSTEM_SCOPE, id))?.alerts.map((alert) => alert.id).toSorted();

  describe('DeviceWriter, devices that end', () => {
    test('finds devices in reach with all their keys, each once', async () => {
      const { tenant, kept, gone } = await loadPair({
        kept: { enrolledAt: SOME_INSTANT - 2, lastSeenAt: SOME_INSTANT - 1 },
        gone: { hardware: NO_HARDWARE, systemUuid: UUIDS.gone, network: [] },
      });
      const ask = (scope: AccessScope) =>
        backend().unitOfWork(scope, (tx) =>
          tx.devices.findAllForUpdate([gone.id, kept.id, newId(), kept.id]),
        );
      const found = await ask(orgScope(tenant.orgId));
      const { id, orgId, displayName, tags, custom, status, hostname, enrolledAt, lastSeenAt } = kept;
      expect(found.find((device) => device.id === id)).toStrictEqual({
        ...{ id, orgId, displayName, tags, custom, status, hostname, enrolledAt, lastSeenAt },
        keys: { serials: ['serial-kept'], uuids: [], macs: [MACS.kept] },
      });
      expect(found.find((device) => device.id === gone.id)?.keys).toStrictEqual({
        ...{ serials: [], uuids: [UUIDS.gone], macs: [] },
      });
      expect(found).toHaveLength(2);
      for (const scope of [
        orgScope(tenant.orgIds[1] as OrgId),
        partnerScope(tenant.partnerId, []),
        { kind: 'none' } as const,
      ]) {
        expect(await ask(scope)).toStrictEqual([]);
      }
    });

    test('a removed device is gone with its alerts, for filters and searches too; others stay', async () => {
      const { tenant, kept, gone, alerts } = await loadPair();
      const scope = orgScope(tenant.orgId);
      await remove(gone, scope);
      expect(await read(gone.id)).toBeNull();
      expect(await hostnames(tenant.orgId)).toStrictEqual(['bystander', 'host-kept']);
      expect((await findIds(scope, 'host-')).devices).toStrictEqual([kept.id]);
      expect(await alertsOf(kept.id)).toStrictEqual([alerts.kept]);
      expect(await backend().unitOfWork(scope, (tx) => tx.alerts.findForUpdate(alerts.gone))).toBeNull();
      const titles = await findHostnames(
        backend(),
        scope,
        and({ field: 'software.installed', operator: 'equals', value: 'Suite of gone' }),
      );
      expect(titles).toStrictEqual([]);
      await expect(remove(gone)).rejects.toThrow();
    });

    test('removes nothing out of reach, and nothing under the id of another organization', async () => {
      const { tenant, kept } = await loadPair();
      const other = tenant.orgIds[1] as OrgId;
      for (const [scope, orgId] of [
        [orgScope(other), tenant.orgId],
        [{ kind: 'none' }, tenant.orgId],
        [SYSTEM_SCOPE, other],
      ] as const) {
        await expect(remove({ id: kept.id, orgId }, scope)).rejects.toThrow();
      }
      expect(await read(kept.id)).not.toBeNull();
    });

    test('the keys of a removed device are free again', async () => {
      const { orgId } = await createTenant(backend());
      const known = ['agent', { hostname: 'one', hardware: { ...NO_HARDWARE, serialNumber: 'S1' } }] as const;
      const again = () => report(orgId, known[1], { inventoryId: known[0] });
      const first = await again();
      await remove({ id: first, orgId });
      const second = await again();
      expect(second).not.toBe(first);
      expect(await again()).toBe(second);
      expect(await hostnames(orgId)).toStrictEqual(['one']);
    });

    test.each<[string, boolean]>([
      ['does not take', false],
      ['takes', true],
    ])(
      'a merge that %s reports of the other device does not mix reports of the two',
      async (_how, takesReports) => {
        const { kept, gone } = await loadPair({
          kept: { siteId: null, lastSeenAt: SOME_INSTANT - 2, quarantinedAt: SOME_INSTANT - 9 },
          gone: { lastSeenAt: SOME_INSTANT - 1, osType: 'linux', quarantinedAt: null },
        });
        const [before, its] = [await read(kept.id), await read(gone.id)];
        if (before === null || its === null) throw new Error('they were loaded');
        const next = {
          ...{ displayName: 'Both', tags: ['kept', 'gone'], status: 'maintenance' as const },
          ...{ custom: new Map([['code', 'both']]), enrolledAt: SOME_INSTANT - 3 },
        };
        await merge(before, gone, { device: { id: kept.id, orgId: kept.orgId, ...next }, takesReports });
        const { id, orgId, siteId, quarantinedAt } = before;
        expect(await read(kept.id)).toStrictEqual({
          ...(takesReports ? its : before),
          ...{ id, orgId, siteId, quarantinedAt },
          ...next,
          criticalAlertCount: 2,
        });
        expect(await read(gone.id)).toBeNull();
      },
    );

    test('a merge moves alerts, leaves one device for filters and searches, and changes no other', async () => {
      const { tenant, kept, gone, alerts, bystander } = await loadPair();
      const scope = orgScope(tenant.orgId);
      await merge(kept, gone, { takesReports: true });
      expect(await alertsOf(kept.id)).toStrictEqual([alerts.kept, alerts.gone].toSorted());
      expect(await hostnames(tenant.orgId)).toStrictEqual(['bystander', 'host-gone']);
      expect((await findIds(scope, 'host-')).devices).toStrictEqual([kept.id]);
      for (const [field, value, expected] of [
        ['software.installed', 'Suite of gone', ['host-gone']],
        ['software.installed', 'Suite of kept', []],
        ['patches.pendingTitle', 'Patch of gone', ['host-gone']],
        ['patches.pendingTitle', 'Patch of kept', []],
      ] as const) {
        const found = await findHostnames(backend(), scope, and({ field, operator: 'equals', value }));
        expect([value, found]).toStrictEqual([value, expected]);
      }
      expect((await read(bystander.id))?.criticalAlertCount).toBe(0);
    });

    test('the keys of both merged devices lead to the one that stays, until it is removed', async () => {
      const { orgId } = await createTenant(backend());
      const machines = (['kept', 'gone'] as const).map(
        (name) =>
          [
            { hostname: name, hardware: { ...NO_HARDWARE, serialNumber: `S-${name}` } },
            {
              inventoryId: `agent-${name}`,
              identity: { systemUuid: UUIDS[name], macAddresses: [MACS[name]] },
            },
          ] as const,
      );
      const ids: DeviceId[] = [];
      for (const [fields, header] of machines) ids.push(await report(orgId, fields, header));
      const [kept, gone] = ids as [DeviceId, DeviceId];
      const device = await read(kept);
      if (device === null) throw new Error('it has reported');
      await merge(device, { id: gone });
      for (const [fields, { inventoryId, identity }] of machines) {
        expect(await report(orgId, fields, { inventoryId })).toBe(kept);
        expect(await report(orgId, fields)).toBe(kept);
        expect(await report(orgId, { hostname: 'bare' }, { identity })).toBe(kept);
      }
      await remove({ id: kept, orgId });
      for (const [fields, header] of machines) expect(ids).not.toContain(await report(orgId, fields, header));
    });

    test('merges no device of another organization, and changes neither', async () => {
      const { tenant, kept } = await loadPair();
      const other = aDevice({ orgId: tenant.orgIds[1] as OrgId, hostname: 'elsewhere' });
      await loadFleet(backend(), [other]);
      const [before, its] = [await read(kept.id), await read(other.id)];
      await expect(merge(kept, other, { takesReports: true })).rejects.toThrow();
      expect([await read(kept.id), await read(other.id)]).toStrictEqual([before, its]);
    });

    test('a merge and a removal are undone when the work throws', async () => {
      const { kept, gone, bystander, alerts } = await loadPair();
      const before = [await read(kept.id), await read(gone.id), await read(bystander.id)];
      const work = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        const [device, its] = await tx.devices.findAllForUpdate([kept.id, gone.id]);
        if (device === undefined || its === undefined) throw new Error('they were loaded');
        await tx.devices.merge({ ...mergeDevices(device, its, new Map()), takesReports: true });
        await tx.devices.remove(bystander);
        throw new Error('the work failed');
      });
      await expect(work).rejects.toThrow('the work failed');
      expect([await read(kept.id), await read(gone.id), await read(bystander.id)]).toStrictEqual(before);
      expect(await alertsOf(gone.id)).toStrictEqual([alerts.gone]);
    });
  });
}
