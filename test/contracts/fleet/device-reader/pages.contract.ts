/** What every device reader promises of pages beside their order. */
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import { parseExportFields } from '#domain/export/parse-export-fields.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aCustomField, aDevice, anAlert, aSite, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { core, EVERY_SORT, makeReaderQuestions, requestFor } from './ask-reader.ts';

const ONLINE = core(and({ field: 'status', operator: 'equals', value: 'online' }));

export function testReaderPages(backend: () => ContractBackend): void {
  const { page, walk } = makeReaderQuestions(backend);

  const createNamed = async (...names: readonly string[]) => {
    const { orgId } = await createTenant(backend());
    await loadFleet(
      backend(),
      names.map((hostname) => aDevice({ orgId, hostname })),
    );
    return orgScope(orgId);
  };
  const namesIn = async (...asked: Parameters<typeof page>) =>
    (await page(...asked)).devices.map(({ hostname }) => hostname);

  describe('DeviceReader.page', () => {
    test('gives the values of further columns, in every order', async () => {
      const { orgId } = await createTenant(backend());
      const site = aSite({ orgId });
      const software = [
        { name: 'Chrome', version: '130.0' },
        { name: 'CHROME', version: '9' },
        { name: 'chrome', version: null },
        { name: 'Chromeless', version: '1' },
      ];
      const devices = [
        aDevice({
          ...{ orgId, siteId: site.id, hostname: 'a', agentVersion: '1.7', software },
          hardware: { ...NO_HARDWARE, serialNumber: 'S-1', cpuCores: 8 },
          network: [
            { ipAddress: '10.0.0.2', publicIp: null, macAddress: null },
            { ipAddress: '10.0.0.1', publicIp: null, macAddress: 'AA' },
          ],
          custom: new Map([['rack', 'R7']]),
        }),
        aDevice({ orgId, hostname: 'b', software: [{ name: 'chrome', version: '7' }] }),
        aDevice({ orgId, hostname: 'c', status: 'offline' }),
      ];
      const field = aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack', type: 'text' });
      await loadFleet(backend(), [site, field, ...devices]);
      const scope = orgScope(orgId);
      const columns = parseExportFields(
        [
          ...['hardware.serialNumber', 'hardware.cpuCores', 'network.ipAddress', 'agentVersion', 'site'],
          ...['custom.rack', 'software[chrome].version', 'software[Chrome].version', 'lastSeenAt'],
        ],
        await loadCatalog(backend().customFields, scope),
      );
      if (!columns.ok) throw new Error('the columns were refused');
      const [first, second] = await page(scope, { columns: columns.value }).then(({ values }) => values);
      expect(first).toStrictEqual([
        ...['S-1', 8, ['10.0.0.2', '10.0.0.1'], '1.7', site.name, 'R7', ['9', '130.0'], ['9', '130.0'], null],
      ]);
      expect(second).toStrictEqual([null, null, [], null, null, null, ['7'], ['7'], null]);
      for (const sort of EVERY_SORT) {
        for (const asked of [{}, ONLINE, { withCount: false }, { offset: 1 }]) {
          const found = await page(scope, { ...asked, sort, columns: columns.value });
          const versions = new Map(devices.map(({ id }, i) => [id, [['9', '130.0'], ['7'], []][i]]));
          expect(found.values.map((row) => row[6])).toStrictEqual(
            found.devices.map(({ id }) => versions.get(id)),
          );
        }
      }
      expect(await page(scope, { columns: columns.value, offset: 9 })).toMatchObject({
        ...{ devices: [], values: [], totalCount: 3 },
      });
    });

    test('gives every field that a list shows', async () => {
      const { orgId } = await createTenant(backend());
      const site = aSite({ orgId });
      const device = aDevice({
        orgId,
        siteId: site.id,
        hostname: 'Srv-1',
        displayName: 'Büro 🖨',
        status: 'maintenance',
        osType: 'linux',
        osVersion: '6.12',
        deviceRole: 'access_point',
        lastUser: 'sam "the" {man}',
        tags: ['vip', 'a "b", {c}\\', '', 'null'],
        lastSeenAt: SOME_INSTANT + 123,
        enrolledAt: SOME_INSTANT - 1,
        metrics: { cpuPercent: 12.5, ramPercent: 0.1 + 0.2, diskPercent: 100 },
        rebootRequired: true,
        patches: [{ id: null, title: 'KB1', status: 'pending' }],
      });
      const bare = aDevice({ orgId, hostname: 'srv-2', status: 'pending' });
      await loadFleet(backend(), [site, device, bare, anAlert({ orgId, deviceId: device.id })]);
      expect(await page(orgScope(orgId))).toStrictEqual({
        totalCount: 2,
        values: [],
        devices: [
          {
            id: device.id,
            orgId,
            siteId: site.id,
            hostname: 'Srv-1',
            displayName: 'Büro 🖨',
            status: 'maintenance',
            osType: 'linux',
            osVersion: '6.12',
            deviceRole: 'access_point',
            lastUser: 'sam "the" {man}',
            tags: ['vip', 'a "b", {c}\\', '', 'null'],
            lastSeenAt: SOME_INSTANT + 123,
            enrolledAt: SOME_INSTANT - 1,
            metrics: { cpuPercent: 12.5, ramPercent: 0.1 + 0.2, diskPercent: 100 },
            patchesPending: true,
            alertsCritical: true,
            rebootRequired: true,
          },
          {
            id: bare.id,
            orgId,
            siteId: null,
            hostname: 'srv-2',
            displayName: null,
            status: 'pending',
            osType: null,
            osVersion: null,
            deviceRole: 'unknown',
            lastUser: null,
            tags: [],
            lastSeenAt: null,
            enrolledAt: null,
            metrics: { cpuPercent: null, ramPercent: null, diskPercent: null },
            patchesPending: false,
            alertsCritical: false,
            rebootRequired: false,
          },
        ],
      });
    });

    test.each([
      [0, 2, ['a', 'b']],
      [3, 2, ['d', 'e']],
      [4, 2, ['e']],
      [5, 2, []],
      [1_000_000, 200, []],
    ])('skips %i devices and gives at most %i', async (offset, limit, names) => {
      const scope = await createNamed('d', 'b', 'e', 'a', 'c');
      expect(await namesIn(scope, { offset, limit })).toStrictEqual(names);
      expect(await page(scope, { offset, limit })).toHaveProperty('totalCount', 5);
    });

    test('counts only if asked, and then all matches', async () => {
      const scope = await createNamed('a', 'b', 'c');
      const after = {
        value: 'b',
        hostname: 'b',
        id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' as DeviceRecord['id'],
      };
      expect(await page(scope, { withCount: false, limit: 1 })).toHaveProperty('totalCount', null);
      expect(await page(scope, { withCount: false, offset: 9 })).toStrictEqual({
        devices: [],
        values: [],
        totalCount: null,
      });
      expect(await page(scope, { after, limit: 1 })).toMatchObject({
        totalCount: 3,
        devices: [{ hostname: 'c' }],
      });
    });

    test('continues after a position without a device', async () => {
      const scope = await createNamed('a', 'c');
      const after = {
        value: 'b',
        hostname: 'b',
        id: '00000000-0000-7000-8000-000000000000' as DeviceRecord['id'],
      };
      expect(await namesIn(scope, { after })).toStrictEqual(['c']);
      const sort = { key: 'hostname', isDescending: true } as const;
      expect(await namesIn(scope, { after, sort })).toStrictEqual(['a']);
    });

    test('gives an empty page if nothing matches, in every order', async () => {
      const scope = await createNamed('a');
      const nothing = core(and({ field: 'status', operator: 'equals', value: 'offline' }));
      for (const sort of EVERY_SORT) {
        expect(await page(scope, { ...nothing, sort })).toStrictEqual({
          devices: [],
          values: [],
          totalCount: 0,
        });
      }
    });

    test('evaluates at the instant that it is given', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, hostname: 'seen', lastSeenAt: SOME_INSTANT })]);
      const lastHour = core(
        and({ field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'hours' } }),
      );
      const scope = orgScope(orgId);
      expect(await namesIn(scope, { ...lastHour, at: SOME_INSTANT + 3_600_000 })).toStrictEqual(['seen']);
      expect(await namesIn(scope, { ...lastHour, at: SOME_INSTANT + 3_600_001 })).toStrictEqual([]);
    });

    test('walks over many devices and gives each once', async () => {
      const { orgId } = await createTenant(backend());
      const devices = Array.from({ length: 2_500 }, (_, i) =>
        aDevice({ orgId, hostname: `twin-${i % 3}`, osType: i % 2 === 0 ? 'linux' : null }),
      );
      await loadFleet(backend(), devices);
      const sort = { key: 'osType', isDescending: true } as const;
      const walked = await walk(orgScope(orgId), { sort, limit: 200 });
      expect(walked.map(({ id }) => id).toSorted()).toStrictEqual(devices.map(({ id }) => id).toSorted());
      const jumped = await page(orgScope(orgId), { sort, limit: 200, offset: 2_000 });
      expect(jumped).toMatchObject({ totalCount: 2_500, devices: walked.slice(2_000, 2_200) });
    });

    test('counts and lists from one snapshot, whatever is written meanwhile', async () => {
      const { orgId } = await createTenant(backend());
      const pair = ['left', 'right'].map((hostname) => aDevice({ orgId, hostname }));
      // Each load changes both devices, so that exactly one is online at any instant.
      const flip = (i: number) =>
        loadFleet(
          backend(),
          pair.map(
            (device, j) => ({ ...device, status: i % 2 === j ? 'online' : 'offline' }) satisfies DeviceRecord,
          ),
        );
      await flip(0);
      const looking = Array.from({ length: 40 }, async (_, i) => {
        if (i % 3 === 0) await flip(i / 3);
        const { devices, totalCount } = await page(orgScope(orgId), ONLINE);
        return [totalCount, devices.length];
      });
      expect(await Promise.all(looking)).toStrictEqual(looking.map(() => [1, 1]));
    });

    test('refuses a request that is already cancelled', async () => {
      const scope = await createNamed('a');
      const request = requestFor(scope, { signal: AbortSignal.abort() });
      expect(await backend().deviceReader.page(request)).toStrictEqual(err({ kind: 'cancelled' }));
      expect(await namesIn(scope)).toStrictEqual(['a']);
    });

    test('is not affected by changes to rows that were given', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, tags: ['kept'] })]);
      for (const { tags, metrics } of (await page(orgScope(orgId))).devices) {
        (tags as string[]).push('added');
        (metrics as { cpuPercent: number }).cpuPercent = 1;
      }
      const again = await page(orgScope(orgId));
      expect(again.devices[0]).toMatchObject({ tags: ['kept'], metrics: { cpuPercent: null } });
    });
  });
}
