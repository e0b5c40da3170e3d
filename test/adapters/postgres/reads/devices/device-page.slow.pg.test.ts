/** The ways to find one page: whichever is chosen, the devices and the count are those of the domain's order. */
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { SORT_COLUMNS } from '#adapters/postgres/reads/sql/devices/page-order.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, type Device, OS_TYPES } from '#domain/device/device.ts';
import {
  DEVICE_SORT_KEYS,
  type DevicePosition,
  type DeviceSort,
  positionOf,
  positionOrder,
  printDeviceSort,
} from '#domain/device/device-sort.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { aDevice, partnerScope, SOME_INSTANT } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** So many that a sample of one percent has some of them. */
const COUNT = 3_000;

/** Few values, so that many devices share one. */
const VALUES = fc.record({
  status: fc.constantFrom(...DEVICE_STATUSES),
  osType: fc.constantFrom(null, ...OS_TYPES),
  deviceRole: fc.constantFrom(...DEVICE_ROLES),
  displayName: fc.constantFrom(null, 'Alpha', 'beta', 'ALPHA', 'Übung'),
  hostname: fc.constantFrom('a', 'B', 'b', 'C', 'localhost'),
  lastSeenAt: fc.option(fc.integer({ min: SOME_INSTANT, max: SOME_INSTANT + 10_000 })),
  enrolledAt: fc.option(fc.integer({ min: SOME_INSTANT, max: SOME_INSTANT + 9 })),
  metrics: fc.record({
    cpuPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    ramPercent: fc.option(fc.integer({ min: 0, max: 100 })),
    diskPercent: fc.constant(null),
  }),
});

let world: PostgresWorld;
/** A session of the reader role. */
let reader: Client;
let scope: AccessScope;
let devices: readonly DeviceRecord[];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const tenant = await createTenant(world.backend, 2);
  scope = partnerScope(tenant.partnerId, tenant.orgIds);
  const drawn = fc.sample(VALUES, { numRuns: COUNT, seed: 7 });
  devices = drawn.map((values, i) => aDevice({ orgId: tenant.orgIds[i % 2] ?? tenant.orgId, ...values }));
  await loadFleet(world.backend, devices);
  reader = new Client(world.connection('reader'));
  await reader.connect();
});
afterAll(async () => {
  await reader.end();
  await world.close();
});

const FILTERS = [
  ['all devices', and({ field: 'hostname', operator: 'isNotNull' }), () => true],
  [
    'devices found by two characters',
    and({ field: 'hostname', operator: 'contains', value: 'LO' }),
    ({ hostname }: DeviceRecord) => hostname === 'localhost',
  ],
  [
    'most devices',
    and({ field: 'status', operator: 'notEquals', value: 'online' }),
    ({ status }: DeviceRecord) => status !== 'online',
  ],
] as const;

const SORTS = DEVICE_SORT_KEYS.flatMap((key) => [
  { key, isDescending: false },
  { key, isDescending: true },
]);

function compiled(group: unknown) {
  return filterToSql(simplifyConditions(parseFilter(group)), { at: SOME_INSTANT, titleIds: NO_TITLES });
}

function isOfStates(group: unknown): boolean {
  return compiled(group).narrow === 'state';
}

/** Total and ids, as the reader role finds them. */
async function askPage(
  group: unknown,
  shape: Parameters<typeof ScopedStatement.devicePage>[3],
  place: { sort: DeviceSort; limit: number; after?: DevicePosition; offset?: number; withCount?: boolean },
) {
  const whole = { after: null, offset: 0, withCount: true, columns: [], ...place };
  const { text } = ScopedStatement.devicePage(scope, compiled(group), whole, shape);
  const { rows } = await reader.query<{ total: string | null; id: string | null }>(text);
  const ids = rows.flatMap(({ id }) => id ?? []);
  const total = rows[0]?.total ?? null;
  return { total: total === null ? null : Number(total), ids };
}

function expectedOrder(
  sort: DeviceSort,
  isMatch: (device: DeviceRecord) => boolean,
): readonly DeviceRecord[] {
  const compare = positionOrder(sort);
  const place = (device: DeviceRecord) => positionOf(device as unknown as Device, sort);
  return devices.filter(isMatch).toSorted((a, b) => compare(place(a), place(b)));
}

describe.each(FILTERS)('a page of %s', (_name, group, isMatch) => {
  test.each(SORTS.map((sort) => [printDeviceSort(sort), sort] as const))(
    'is the same in every shape of statement, sorted by %s',
    async (_sort, sort) => {
      const expected = expectedOrder(sort, isMatch);
      const { words, isIndexed } = SORT_COLUMNS[sort.key];
      const hasParts = words.length > 0 || (isIndexed && sort.key !== 'hostname');
      const shapes = ['split', 'materialized', ...(hasParts ? (['part by part'] as const) : [])] as const;
      for (const start of [0, 1, 450, expected.length - 3]) {
        const before = start === 0 ? undefined : expected[start - 1];
        const after = before && positionOf(before as unknown as Device, sort);
        for (const offset of [0, 60]) {
          const page = expected.slice(start + offset, start + offset + 51).map(({ id }) => id as string);
          for (const shape of shapes) {
            const place = { sort, limit: 51, offset, ...(after !== undefined && { after }) };
            expect({ shape, ...(await askPage(group, shape, place)) }).toStrictEqual({
              shape,
              total: expected.length,
              ids: page,
            });
          }
        }
      }
    },
  );

  test.each(SORTS.map((sort) => [printDeviceSort(sort), sort] as const))(
    'is right in a windowed statement, sorted by %s, with and without the count',
    async (_sort, sort) => {
      const expected = expectedOrder(sort, isMatch);
      const ids = expected.slice(0, 51).map(({ id }) => id as string);
      for (const [withCount, total] of [
        [true, expected.length],
        [false, null],
      ] as const) {
        const found = await askPage(group, 'windowed', { sort, limit: 51, withCount });
        expect(found).toStrictEqual({ total, ids });
      }
    },
  );

  const thresholdShapes = isOfStates(group)
    ? (['one scan', 'beyond a threshold'] as const)
    : (['beyond a threshold'] as const);

  test.each([
    ...['-metrics.cpuPercent', 'metrics.cpuPercent', 'metrics.ramPercent', 'lastSeenAt', '-lastSeenAt'],
    // A page of devices that share their value.
    ...['enrolledAt', '-enrolledAt'],
  ])('is found whole by a threshold, sorted by %s, or in part if the sample is bad', async (text) => {
    const sort = SORTS.find((each) => printDeviceSort(each) === text) as DeviceSort;
    const expected = expectedOrder(sort, isMatch);
    for (const shape of thresholdShapes) {
      for (const start of [0, 300]) {
        const before = start === 0 ? undefined : expected[start - 1];
        const after = before && positionOf(before as unknown as Device, sort);
        const page = expected.slice(start, start + 51).map(({ id }) => id as string);
        let whole = 0;
        for (let i = 0; i < 6; i++) {
          const withCount = i % 2 === 0;
          const place = { sort, limit: 51, withCount, ...(after !== undefined && { after }) };
          const { total, ids } = await askPage(group, shape, place);
          expect({ shape, total }).toStrictEqual({ shape, total: withCount ? expected.length : null });
          expect(ids).toStrictEqual(page.slice(0, ids.length));
          if (ids.length === 51) whole++;
        }
        expect(whole).toBeGreaterThan(0);
      }
    }
  });

  test('has few devices or none by a threshold if no device has a value to sort by', async () => {
    const sort = { key: 'metrics.diskPercent', isDescending: true } as const;
    const expected = expectedOrder(sort, isMatch).map(({ id }) => id as string);
    for (const shape of thresholdShapes) {
      const { total, ids } = await askPage(group, shape, { sort, limit: 51 });
      expect([total, ids]).toStrictEqual([expected.length, expected.slice(0, ids.length)]);
    }
  });
});

test.each(FILTERS)(
  'the reader gives the whole page of %s, however often it is asked',
  async (_name, group, isMatch) => {
    const filter = parseFilter(group);
    for (const sort of SORTS) {
      const expected = expectedOrder(sort, isMatch);
      const ids = expected.map(({ id }) => id);
      for (const start of [0, 0, 5, expected.length - 100]) {
        const before = expected[start - 1];
        const page = await world.backend.deviceReader.page({
          ...{ filter, scope, at: SOME_INSTANT, onBehalfOf: 'test' },
          ...{ sort, limit: 200, offset: 0, withCount: true, columns: [] },
          after: before === undefined ? null : positionOf(before as unknown as Device, sort),
        });
        const found = page.ok && [page.value.totalCount, page.value.devices.map(({ id }) => id)];
        expect(found).toStrictEqual([expected.length, ids.slice(start, start + 200)]);
      }
    }
  },
);

test('the reader counts 0 if nothing matches, and counts only if it is asked to', async () => {
  const filter = parseFilter(and({ field: 'hostname', operator: 'equals', value: 'nobody' }));
  for (const [withCount, totalCount] of [
    [true, 0],
    [false, null],
  ] as const) {
    for (const sort of SORTS) {
      const page = await world.backend.deviceReader.page({
        ...{ filter, scope, at: SOME_INSTANT, onBehalfOf: 'test' },
        ...{ sort, limit: 10, offset: 0, after: null, withCount, columns: [] },
      });
      expect(page.ok && page.value).toStrictEqual({ devices: [], values: [], totalCount });
    }
  }
});
