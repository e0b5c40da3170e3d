/** What the differential test has found, each as small as possible, checked with both evaluators ever since. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  aCustomField,
  aDevice,
  anOrganization,
  aPartner,
  orgScope,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, findHostnames, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** More conditions than PostgreSQL could plan as joins before any of its clients gave up. */
const MANY = 400;

const partner = aPartner();
const organization = anOrganization({ partnerId: partner.id });
const orgId: OrgId = organization.id;

const devices: readonly DeviceRecord[] = [
  ...Object.entries({
    // An offset puts these some hours outside the years that a timestamp has.
    'bought in year 0': '0001-01-01T05:00+10:00',
    'bought on day 1': '0001-01-01',
    'bought on the last day': '9999-12-31T23:59:59.999Z',
    'bought in year 10000': '9999-12-31T23:59:59.999-15:59',
  }).map(([hostname, bought]) => aDevice({ orgId, hostname, custom: new Map([['bought', bought]]) })),
  ...[6_048_000, 6_048_001, 6_047_999].map((elapsedMs) =>
    aDevice({ orgId, hostname: `seen ${elapsedMs} ms ago`, lastSeenAt: SOME_INSTANT - elapsedMs }),
  ),
  aDevice({
    orgId,
    hostname: 'wired',
    network: [
      {
        ipAddress: Array.from({ length: MANY }, (_, i) => `-${i}-`).join(''),
        publicIp: null,
        macAddress: null,
      },
    ],
  }),
];

const BOUGHT_FIELD = aCustomField({
  owner: { kind: 'organization', orgId },
  key: 'bought',
  type: 'date',
});

type Find = readonly [conditions: RawGroup, matches: readonly string[]];

const bought = (operator: string, value: unknown): RawGroup =>
  and({ field: 'custom.bought', operator, value });

const daysSince = (operator: string, value: unknown): RawGroup =>
  and({ field: 'daysSinceLastSeen', operator, value });

const eachOfMany = (conditionAt: (index: number) => Omit<RawCondition, 'field'>): RawGroup =>
  and(...Array.from({ length: MANY }, (_, i) => ({ field: 'network.ipAddress', ...conditionAt(i) })));

const CUSTOM_DATES: readonly Find[] = [
  [bought('before', '0001-01-01'), ['bought in year 0']],
  [bought('before', '0001-01-01T05:00+10:00'), []],
  [
    bought('after', '0001-01-01T06:00+10:00'),
    ['bought in year 10000', 'bought on day 1', 'bought on the last day'],
  ],
  [bought('equals', '0001-01-01T05:00+10:00'), ['bought in year 0']],
  [bought('after', '9999-12-31'), ['bought in year 10000']],
  [bought('equals', '9999-12-31T23:59:59.999-15:59'), ['bought in year 10000']],
  [
    bought('between', { from: '0001-01-01T05:00+10:00', to: '0001-01-01' }),
    ['bought in year 0', 'bought on day 1'],
  ],
];

const DAYS: readonly Find[] = [
  [daysSince('equals', 0.07), ['seen 6048000 ms ago']],
  [daysSince('greaterThan', 0.07), ['seen 6048001 ms ago']],
  [daysSince('lessThan', 0.07), ['seen 6047999 ms ago']],
  [daysSince('between', { from: 0.07, to: 0.07 }), ['seen 6048000 ms ago']],
];

const INTERFACES: readonly Find[] = [
  [eachOfMany((i) => ({ operator: 'contains', value: `-${i}-` })), ['wired']],
  [
    and(
      { field: 'custom.bought', operator: 'isNull' },
      { field: 'lastSeenAt', operator: 'isNull' },
      eachOfMany((i) => ({ operator: 'notContains', value: `+${i}+` })),
    ),
    ['wired'],
  ],
];

let world: PostgresWorld;
const memory = createMemoryBackend({
  translatePattern,
  digestSecret,
  clock: systemClock,
  newId: uuidV7,
  hashPassword: async (password) => password,
});

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'), { filterTimeoutMs: 10_000 });
  for (const backend of [world.backend, memory]) {
    await loadFleet(backend, [partner, organization, BOUGHT_FIELD, ...devices]);
  }
});

afterAll(() => world.close());

describe.each([
  ['a custom date that an offset puts beyond the calendar is a date like any other', CUSTOM_DATES],
  ['days are compared as exact fractions, not as floating-point products', DAYS],
  ['hundreds of conditions on interfaces are answered', INTERFACES],
])('%s', (_what, finds) => {
  test.each(
    finds.map(
      ([conditions, matches]) => [JSON.stringify(conditions).slice(0, 120), conditions, matches] as const,
    ),
  )('%s', async (_start, conditions, matches) => {
    const scope = orgScope(orgId);
    expect(await findHostnames(memory, scope, conditions)).toStrictEqual(matches);
    expect(await findHostnames(world.backend, scope, conditions)).toStrictEqual(matches);
  });
});
