/** What every device reader promises of orders: those of the domain, for any devices, either way, on every page. */
import fc from 'fast-check';
import { canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { positionOf, printDeviceSort } from '#domain/device/device-sort.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { beforeAll, describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, newId, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, or } from '#test/support/filters.ts';
import { randomDevice } from '#test/support/random/random-devices.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';
import { core, deviceOf, EVERY_SORT, inOrder, makeReaderQuestions } from './ask-reader.ts';

/** Devices at random, and as many that differ in little but their ids. */
const RANDOM = 60;

export function testReaderOrders(backend: () => ContractBackend): void {
  const { page, walk } = makeReaderQuestions(backend);
  let tenant: Tenant;
  let devices: readonly Device[];

  /** Filters with all of the devices, some of them, few, and none. */
  const filters = [
    { name: 'all', group: and({ field: 'hostname', operator: 'isNotNull' }), test: () => true },
    {
      name: 'some',
      group: or(
        { field: 'status', operator: 'in', value: ['online', 'pending'] },
        { field: 'metrics.cpuPercent', operator: 'isNull' },
      ),
      test: ({ status, metrics }: Device) =>
        status === 'online' || status === 'pending' || metrics.cpuPercent === null,
    },
    {
      name: 'the tagged',
      group: and({ field: 'tags', operator: 'hasAny', value: ['twin'] }),
      test: ({ tags }: Device) => tags.includes('twin'),
    },
    {
      name: 'those with software',
      group: and({ field: 'software.installed', operator: 'equals', value: 'Sorted Suite' }),
      test: ({ software }: Device) => software.some(({ name }) => name === 'Sorted Suite'),
    },
  ] as const;

  describe('DeviceReader.page in every order', () => {
    beforeAll(async () => {
      tenant = await createTenant(backend(), 2);
      const places = tenant.orgIds.map((orgId) => ({ orgId, siteId: null }));
      const drawn = Array.from({ length: RANDOM }, () => randomDevice(newId(), places, []));
      const [random = []] = fc.sample(fc.tuple(...drawn), { numRuns: 1, seed: 20261122 });
      const twins = ['Twin', 'TWIN', 'twin', 'other'].flatMap((hostname, i) =>
        [null, 'Ⓑ', 'ⓑ', '🖨'.repeat(201), `${'🖨'.repeat(200)}0`].map((displayName, j) =>
          aDevice({
            orgId: tenant.orgIds[j % 2] ?? tenant.orgId,
            hostname,
            displayName,
            tags: ['twin'],
            osType: j === 0 ? null : 'linux',
            lastSeenAt: j === 1 ? SOME_INSTANT + i : null,
            metrics: { cpuPercent: j === 2 ? 0.1 + 0.2 : null, ramPercent: i, diskPercent: -0 },
            software: j === 3 ? [{ name: 'Sorted Suite', version: null }] : [],
          }),
        ),
      );
      const records = [...random, ...twins];
      await loadFleet(backend(), records);
      devices = records.map(deviceOf);
    });

    describe.each(filters)('with a filter that finds $name', (filter) => {
      const matching = () => devices.filter((device) => filter.test(device));
      const scope = () => partnerScope(tenant.partnerId, tenant.orgIds);

      test.each(EVERY_SORT.map((sort) => [printDeviceSort(sort), sort] as const))(
        'lists by %s',
        async (_name, sort) => {
          const expected = inOrder(matching(), sort);
          const given = { ...core(filter.group), sort };
          expect(await page(scope(), { ...given, limit: 200 })).toStrictEqual({
            devices: expected,
            values: [],
            totalCount: expected.length,
          });
          expect(await walk(scope(), { ...given, limit: 7 })).toStrictEqual(expected);
        },
      );

      test.each(EVERY_SORT.map((sort) => [printDeviceSort(sort), sort] as const))(
        'continues after each device by %s',
        async (_name, sort) => {
          const expected = inOrder(matching(), sort);
          for (const [place, device] of expected.entries()) {
            if (place % 3 > 0) continue;
            const after = positionOf(device, sort);
            const next = await page(scope(), { ...core(filter.group), sort, after, limit: 2, offset: 1 });
            expect(next).toStrictEqual({
              devices: expected.slice(place + 2, place + 4),
              values: [],
              totalCount: expected.length,
            });
          }
        },
      );
    });

    test('lists one organization in every order', async () => {
      const [, second = tenant.orgId] = tenant.orgIds;
      const scope = { kind: 'organization', orgId: second } as const;
      const own = devices.filter(({ orgId }) => canReach(scope, orgId));
      for (const sort of EVERY_SORT) {
        expect(await walk(scope, { sort, limit: 9 })).toStrictEqual(inOrder(own, sort));
      }
    });
  });
}
