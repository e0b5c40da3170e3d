/** What every list of alerts promises. */
import fc from 'fast-check';
import type { AlertQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { AlertPosition } from '#domain/fleet/fleet-lists.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { walkPages } from '#test/contracts/walk-pages.ts';
import { aDevice, anAlert, newId, orgScope, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ALL: AlertQuery = {
  foldedText: '',
  status: null,
  severity: null,
  deviceId: null,
  after: null,
  limit: 1_000,
};

export function testAlertList(backend: () => ContractBackend): void {
  const list = async (orgId: OrgId, query: Partial<AlertQuery> = {}) => {
    const found = await backend().fleetLists.alerts(orgScope(orgId), { ...ALL, ...query });
    if (found === null) throw new Error('no such device is in reach');
    return found;
  };
  const titles = async (orgId: OrgId, query?: Partial<AlertQuery>) =>
    (await list(orgId, query)).map(({ title }) => title);

  describe('FleetLists: alerts', () => {
    test('have all their fields', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3' });
      const { kind: _kind, ...alert } = anAlert({
        orgId,
        deviceId: device.id,
        title: 'Disk "C:\\" is full',
        message: '100 %\nof 256 GB',
        severity: 'info',
        status: 'acknowledged',
        createdAt: SOME_INSTANT + 1,
      });
      const { kind: _other, ...plain } = anAlert({ orgId, createdAt: SOME_INSTANT });
      await loadFleet(backend(), [device, { kind: 'alert', ...alert }, { kind: 'alert', ...plain }]);
      expect(await list(orgId)).toStrictEqual([
        { ...alert, deviceName: 'till-3' },
        { ...plain, deviceName: null },
      ]);
    });

    test.each([
      ['its display name', 'Till 3', 'Till 3'],
      ['its hostname if it has no display name', null, 'till-3'],
      ['its hostname if its display name is empty', '', 'till-3'],
    ])('call a device by %s', async (_by, displayName, deviceName) => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3', displayName });
      await loadFleet(backend(), [device, anAlert({ orgId, deviceId: device.id })]);
      expect((await list(orgId)).map((alert) => alert.deviceName)).toStrictEqual([deviceName]);
    });

    test('are listed newest first, ties by descending id', async () => {
      const { orgId } = await createTenant(backend());
      const [low, high] = [newId<'alert'>(), newId<'alert'>()];
      await loadFleet(backend(), [
        anAlert({ orgId, id: low, title: 'second, lower id', createdAt: SOME_INSTANT }),
        anAlert({ orgId, title: 'oldest', createdAt: -62_135_596_800_000 }),
        anAlert({ orgId, id: high, title: 'second, higher id', createdAt: SOME_INSTANT }),
        anAlert({ orgId, title: 'newest', createdAt: SOME_INSTANT + 1 }),
      ]);
      expect(await titles(orgId)).toStrictEqual([
        'newest',
        'second, higher id',
        'second, lower id',
        'oldest',
      ]);
      expect(await titles(orgId, { limit: 2 })).toStrictEqual(['newest', 'second, higher id']);
    });

    test('without createdAt get the time of their first load', async () => {
      const { orgId } = await createTenant(backend());
      const silent = anAlert({ orgId });
      const told = anAlert({ orgId, createdAt: SOME_INSTANT });
      const before = Date.now();
      await loadFleet(backend(), [silent, told]);
      const [first] = await list(orgId);
      expect(first?.id).toBe(silent.id);
      expect(first?.createdAt).toBeGreaterThanOrEqual(before);
      expect(first?.createdAt).toBeLessThanOrEqual(Date.now());

      await loadFleet(backend(), [
        { ...silent, title: 'changed' },
        { ...told, createdAt: null, title: 'changed' },
      ]);
      expect(await list(orgId)).toStrictEqual([
        expect.objectContaining({ id: silent.id, createdAt: first?.createdAt, title: 'changed' }),
        expect.objectContaining({ id: told.id, createdAt: SOME_INSTANT, title: 'changed' }),
      ]);
      await loadFleet(backend(), [{ ...silent, createdAt: SOME_INSTANT - 1 }]);
      expect((await list(orgId)).at(-1)).toMatchObject({ id: silent.id, createdAt: SOME_INSTANT - 1 });
    });

    test('are found by text of title or message, in any case, literally', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId });
      const full = anAlert({ orgId, title: 'DISK at 100%_', deviceId: device.id });
      const told = anAlert({ orgId, title: 'Élan', message: 'the disk is slow', status: 'resolved' });
      await loadFleet(backend(), [device, full, told, anAlert({ orgId, title: 'Memory', message: '' })]);
      const found = async (foldedText: string, query: Partial<AlertQuery> = {}) => {
        const ids = (await list(orgId, { foldedText, ...query })).map(({ id }) => id);
        const request = { scope: orgScope(orgId), onBehalfOf: 'somebody' };
        const counted = await backend().fleetCounter.alerts(request, { ...ALL, foldedText, ...query });
        expect(counted).toStrictEqual({ ok: true, value: ids.length });
        return ids.toSorted();
      };
      expect(await found('disk')).toStrictEqual([full.id, told.id].toSorted());
      expect(await found('éLAN'.toLowerCase())).toStrictEqual([told.id]);
      expect(await found('%_')).toStrictEqual([full.id]);
      expect(await found('disk', { status: 'resolved' })).toStrictEqual([told.id]);
      expect(await found('disk', { deviceId: device.id })).toStrictEqual([full.id]);
      expect(await found('nothing of the kind')).toStrictEqual([]);
      expect(await found('')).toHaveLength(3);
    });

    test('are counted only within reach', async () => {
      const { orgId } = await createTenant(backend());
      const other = await createTenant(backend());
      const alerts = [anAlert({ orgId }), anAlert({ orgId }), anAlert({ orgId: other.orgId })];
      await loadFleet(backend(), alerts);
      const request = { scope: orgScope(orgId), onBehalfOf: 'somebody' };
      expect(await backend().fleetCounter.alerts(request, ALL)).toStrictEqual({ ok: true, value: 2 });
    });

    test('are read one by one, with device and organization', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId, hostname: 'till-3', displayName: 'Till 3' });
      const { kind: _kind, ...alert } = anAlert({ orgId, deviceId: device.id, createdAt: SOME_INSTANT });
      const plain = anAlert({ orgId });
      await loadFleet(backend(), [device, { kind: 'alert', ...alert }, plain]);
      const scope = orgScope(orgId);
      const { fleetLists } = backend();
      expect(await fleetLists.alert(scope, alert.id)).toStrictEqual({
        ...alert,
        deviceName: 'Till 3',
        hostname: 'till-3',
        organizationName: `Contoso ${orgId}`,
      });
      expect(await fleetLists.alert(scope, plain.id)).toMatchObject({ deviceName: null, hostname: null });
      expect(await fleetLists.alert(scope, newId())).toBeNull();
      const other = await createTenant(backend());
      expect(await fleetLists.alert(orgScope(other.orgId), alert.id)).toBeNull();
    });

    test('are empty for a device and an organization without alerts', async () => {
      const { orgId } = await createTenant(backend());
      const device = aDevice({ orgId });
      await loadFleet(backend(), [device]);
      expect(await list(orgId)).toStrictEqual([]);
      expect(await list(orgId, { deviceId: device.id })).toStrictEqual([]);
    });

    test('are those that match the query, page by page, in order, for random fleets', async () => {
      await fc.assert(
        fc.asyncProperty(FLEET, QUERY, fc.integer({ min: 1, max: 6 }), async (drawn, query, limit) => {
          const { partnerId, orgIds } = await createTenant(backend(), 2);
          const devices = orgIds.flatMap((orgId) => [aDevice({ orgId }), aDevice({ orgId })]);
          const alerts = drawn.map(({ at, device: place, ...facts }) => {
            const device = devices[place % devices.length];
            if (device === undefined) throw new Error('there are devices');
            const deviceId = place % 3 === 0 ? null : device.id;
            return anAlert({ orgId: device.orgId, deviceId, createdAt: SOME_INSTANT + at, ...facts });
          });
          await loadFleet(backend(), [...devices, ...alerts]);
          const asked = { ...query, deviceId: query.ofDevice ? (devices[1]?.id ?? null) : null };
          const found = await walkPages<AlertRecord | { readonly id: string }, AlertPosition>(
            limit,
            async (after, size) =>
              (await backend().fleetLists.alerts(partnerScope(partnerId, orgIds), {
                foldedText: '',
                status: asked.status,
                severity: asked.severity,
                deviceId: asked.deviceId,
                after,
                limit: size,
              })) ?? [],
            (alert) => alert as AlertPosition,
          );
          const expected = alerts
            .filter(
              ({ status, severity, deviceId }) =>
                (asked.status === null || status === asked.status) &&
                (asked.severity === null || severity === asked.severity) &&
                (asked.deviceId === null || deviceId === asked.deviceId),
            )
            .sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || (a.id < b.id ? 1 : -1));
          expect(found.map(({ id }) => id)).toStrictEqual(expected.map(({ id }) => id));
        }),
        { numRuns: 10 },
      );
    });
  });
}

/** Few instants, so that many alerts share one. */
const FLEET = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 4 }),
    device: fc.nat({ max: 11 }),
    severity: fc.constantFrom(...ALERT_SEVERITIES.slice(0, 3)),
    status: fc.constantFrom(...ALERT_STATUSES),
  }),
  { minLength: 5, maxLength: 25 },
);

const QUERY = fc.record({
  status: fc.option(fc.constantFrom(...ALERT_STATUSES)),
  severity: fc.option(fc.constantFrom(...ALERT_SEVERITIES.slice(0, 3)), { freq: 1 }),
  ofDevice: fc.boolean(),
});
