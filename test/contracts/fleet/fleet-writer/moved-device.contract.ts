/** What every fleet writer promises of a device that is loaded with another organization than it has. */
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { makeSearcherQuestions, newWord } from '#test/contracts/search/searcher/ask-searcher.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aCustomField,
  aDevice,
  anAlert,
  anAuditEntry,
  anOrganization,
  aSite,
  located,
  newId,
  orgScope,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { isKnown, reportInventory } from '#test/support/inventories.ts';
import { inventoryWith } from '#test/support/machine-cases.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { placesOf } from './write-fleet.ts';

const ALL_ALERTS = { foldedText: '', status: null, severity: null, after: null, limit: 10 };

export function testMovedDevice(backend: () => ContractBackend): void {
  const move = (...records: Parameters<typeof located>[0]) =>
    backend().fleetWriter(located(records), undefined, undefined, { allowMoves: true });

  /** A partner's two organizations, and a device of the first with an alert. */
  const furnish = async (given: Partial<DeviceRecord> = {}) => {
    const { partnerId, orgIds } = await createTenant(backend(), 2);
    const [from, to] = orgIds as [OrgId, OrgId];
    const device = aDevice({ orgId: from, hostname: 'desk', ...given });
    const alert = anAlert({ orgId: from, deviceId: device.id, severity: 'critical', status: 'active' });
    await loadFleet(backend(), [device, alert]);
    return { partnerId, from, to, device, alert };
  };

  /** How many critical alerts each organization has on devices of this name, or null if it has no such device. */
  const urgent = async (orgIds: readonly OrgId[]) =>
    Promise.all(
      orgIds.map(async (orgId) => {
        const scope = orgScope(orgId);
        const [hostname] = await findHostnames(
          backend(),
          scope,
          and({ field: 'hostname', operator: 'equals', value: 'desk' }),
        );
        const alerts = await backend().fleetLists.alerts(scope, { ...ALL_ALERTS, deviceId: null });
        return hostname === undefined ? null : (alerts ?? []).length;
      }),
    );

  describe('FleetWriter, a device of another organization', () => {
    test('is refused, and the fault names its organization and the option that moves it', async () => {
      const { from, to, device } = await furnish();
      const outcome = await backend().fleetWriter(located([{ ...device, orgId: to }]));
      expect(placesOf(outcome)).toStrictEqual(['1 device.id']);
      const [organization] = (await backend().listTenants()).organizations.filter(({ id }) => id === from);
      const { message } = (outcome.ok ? [] : outcome.error)[0] ?? {};
      expect(message).toContain(`"${organization?.name}" (${from})`);
      expect(message).toContain('--allow-moves');
      expect(await urgent([from, to])).toStrictEqual([1, null]);
    });

    test('moves with its alerts to its new site, and is found only in its new organization', async () => {
      const word = newWord();
      const { from, to, device, alert } = await furnish({
        displayName: word,
        tags: ['vpn'],
        software: [{ name: 'Zoom', version: '1' }],
        custom: new Map([['note', 'kept']]),
      });
      const site = aSite({ orgId: to });
      const field = aCustomField({ owner: { kind: 'organization', orgId: to }, key: 'note' });
      expect(placesOf(await move(site, field, { ...device, orgId: to, siteId: site.id }))).toStrictEqual([]);
      expect(await urgent([from, to])).toStrictEqual([null, 1]);
      const { search } = makeSearcherQuestions(backend);
      expect((await search(orgScope(from), word)).devices).toStrictEqual([]);
      expect((await search(orgScope(to), word)).devices).toHaveLength(1);
      expect((await search(orgScope(from), alert.title)).alerts).toStrictEqual([]);
      expect((await search(orgScope(to), alert.title)).alerts).toHaveLength(1);
      const traces = [
        and({ field: 'siteId', operator: 'equals', value: site.id }),
        and({ field: 'alerts.critical', operator: 'equals', value: true }),
        and({ field: 'tags', operator: 'hasAny', value: ['vpn'] }),
        and({ field: 'software.installed', operator: 'equals', value: 'zoom' }),
        and({ field: 'custom.note', operator: 'equals', value: 'kept' }),
      ];
      for (const trace of traces) {
        expect(await findHostnames(backend(), orgScope(to), trace)).toStrictEqual(['desk']);
      }
    });

    test('moves into an organization of the same file and back, and counts as moved each time', async () => {
      const { partnerId, from, device } = await furnish();
      const next = anOrganization({ partnerId });
      const count = async (...records: Parameters<typeof located>[0]) => {
        let counted = -1;
        const makeEntry = (_: unknown, moved: number) => {
          counted = moved;
          return anAuditEntry({ actor: { type: 'system', id: null } });
        };
        const outcome = await backend().fleetWriter(located(records), undefined, makeEntry, {
          allowMoves: true,
        });
        expect(placesOf(outcome)).toStrictEqual([]);
        return counted;
      };
      const there = { ...device, orgId: next.id };
      expect(await count(next, there, aDevice({ orgId: next.id }))).toBe(1);
      expect(await urgent([from, next.id])).toStrictEqual([null, 1]);
      expect(await count(there)).toBe(0);
      expect(await count(device)).toBe(1);
      expect(await urgent([from, next.id])).toStrictEqual([1, null]);
    });

    test('is the same device when it reports from there, and a new one from its old organization', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      const [from, to] = orgIds as [OrgId, OrgId];
      const inventory = inventoryWith({ id: 'desk-2026', serial: 'S-4711' });
      const report = async (orgId: OrgId) => {
        const stored = await reportInventory(backend(), orgId, inventory, SOME_INSTANT);
        if (!stored.ok) throw new Error(stored.error);
        return stored.value;
      };
      const { deviceId } = await report(from);
      const record = aDevice({ id: deviceId, orgId: to });
      expect(placesOf(await move(record))).toStrictEqual([]);
      expect(await isKnown(backend(), from, 'desk-2026')).toBe(false);
      expect(await isKnown(backend(), to, 'desk-2026')).toBe(true);
      expect(await report(to)).toStrictEqual({ deviceId, created: false, isFirstReport: false });
      expect((await report(from)).deviceId).not.toBe(deviceId);
    });

    test('takes along an alert that the file changes, but one with the old organization is a fault', async () => {
      const { from, to, device, alert } = await furnish();
      const moved = { ...device, orgId: to };
      expect(placesOf(await move(moved, alert))).toStrictEqual(['2 alert.deviceId', '2 alert.id']);
      expect(placesOf(await move(moved, { ...alert, deviceId: null }))).toStrictEqual(['2 alert.id']);
      expect(await urgent([from, to])).toStrictEqual([1, null]);
      expect(placesOf(await move(moved, { ...alert, orgId: to, title: 'Changed' }))).toStrictEqual([]);
      const alerts = await backend().fleetLists.alerts(orgScope(to), { ...ALL_ALERTS, deviceId: device.id });
      expect(alerts?.map(({ title }) => title)).toStrictEqual(['Changed']);
    });

    test('cannot stay at a site of its former organization, and no site can move', async () => {
      const { from, to, device } = await furnish();
      const site = aSite({ orgId: from });
      await loadFleet(backend(), [site]);
      const outcome = await move({ ...device, orgId: to, siteId: site.id }, { ...site, orgId: newId() });
      expect(placesOf(outcome)).toStrictEqual(['1 device.siteId', '2 site.id', '2 site.orgId']);
    });
  });
}
