/** How PostgreSQL finds devices: each kind of filter uses its index, and never the whole table. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { type TitleIds, titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import type { PreviewShape } from '#adapters/postgres/reads/sql/devices/preview-query.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { DEVICE_STATUSES } from '#domain/device/device.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import {
  aDevice,
  anAlert,
  anOrganization,
  aPartner,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { and, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { loadFleet } from '#test/support/tenant.ts';

const FLEET_SIZE = 20_000;

/** The first has half of the devices, the next a quarter, and so on. */
const ORGANIZATION_COUNT = 8;

const partner = aPartner();
const organizations = Array.from({ length: ORGANIZATION_COUNT }, () =>
  anOrganization({ partnerId: partner.id }),
);
/** One with some hundred devices. */
const SMALL: AccessScope = orgScope((organizations.at(-1) ?? anOrganization({ partnerId: partner.id })).id);

const TABLES = [
  'device',
  'device_state',
  'device_names',
  'device_software',
  'software_title',
  'organization_software',
];

/** One with half of the devices. */
const LARGE: AccessScope = orgScope((organizations[0] ?? anOrganization({ partnerId: partner.id })).id);

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const devices = Array.from({ length: FLEET_SIZE }, (_, n) => aDeviceOf(n));
  await loadFleet(world.backend, [partner, ...organizations, ...devices, ...alertsOf(devices)]);
  // The server of the tests commits asynchronously, and pages of what is not surely on disk are not marked as
  // visible to all. A commit that is waited for takes those before it along. Transactions with an
  // older snapshot, such as an autovacuum of statistics, have to end as well.
  await world.query('owner', 'set synchronous_commit = on; create table settled ()');
  await vi.waitFor(
    async () => {
      await world.query('owner', `vacuum (analyze) ${TABLES.join(', ')}`);
      const unseen = await world.query<{ table: string }>(
        'owner',
        'select relname as table from pg_class where relname = any($1) and relallvisible < relpages',
        [TABLES],
      );
      expect(unseen).toStrictEqual([]);
    },
    { timeout: 30_000, interval: 200 },
  );
});

afterAll(() => world.close());

function aDeviceOf(n: number): DeviceRecord {
  const { id: orgId } = organizations[rankOf(n)] ?? anOrganization({ partnerId: partner.id });
  return aDevice({
    orgId,
    hostname: `Desktop-${((n * 7919) % 99_991).toString(36).padStart(4, '0')}-${n % 100}`,
    status: DEVICE_STATUSES[n % DEVICE_STATUSES.length] ?? 'online',
    osType: n % 3 === 0 ? 'linux' : 'windows',
    lastSeenAt: SOME_INSTANT - n * 1_000,
    tags: n % 500 === 0 ? ['pci', 'production'] : ['production'],
    rebootRequired: n % 50 === 0,
    patches: n % 50 === 1 ? [{ id: null, title: 'KB1', status: 'pending' }] : [],
    software: Array.from({ length: 5 }, (_, i) => ({ name: `Tool ${(n * 5 + i) % 2_000}`, version: '1' })),
  });
}

/** 0 for every other number, 1 for every fourth, and so on. */
function rankOf(n: number): number {
  return Math.min(ORGANIZATION_COUNT - 1, 31 - Math.clz32((n + 1) & -(n + 1)));
}

function alertsOf(devices: readonly DeviceRecord[]): readonly FleetRecord[] {
  return devices
    .filter((_, n) => n % 50 === 2)
    .map(({ id, orgId }) => anAlert({ orgId, deviceId: id, severity: 'critical', status: 'active' }));
}

/** A step of a plan, with those that it takes its rows from. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Each scan of the plan that the service's own statement has as the reader: its kind, and its index or table. */
async function scansOf(scope: AccessScope, group: RawGroup, shape: PreviewShape): Promise<readonly string[]> {
  const root = simplifyConditions(parseFilter(group));
  return world.connected('reader', async (client) => {
    const lookups = titleLookups(root);
    const titleIds: TitleIds =
      lookups === null
        ? new Map()
        : new Map(
            (
              await client.query<{ key: string; ids: number[]; version_keys: string[] }>(
                ScopedStatement.titles(scope, lookups).text,
              )
            ).rows.map(({ key, ids, version_keys }) => [key, { ids, versionKeys: version_keys }]),
          );
    const statement = ScopedStatement.preview(
      scope,
      filterToSql(root, { at: SOME_INSTANT, titleIds }),
      10,
      shape,
    );
    return scansBy(client, statement);
  });
}

async function scansBy(client: Client, { text, values }: ScopedStatement): Promise<readonly string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    `explain (format json) ${text}`,
    [...values],
  );
  return rows.flatMap((row) => scansWithin(row['QUERY PLAN'][0].Plan));
}

function scansWithin(node: PlanNode): readonly string[] {
  const place = node['Index Name'] ?? node['Relation Name'];
  const own = place === undefined ? [] : [`${node['Node Type']} ${place}`];
  return [...own, ...(node.Plans ?? []).flatMap(scansWithin)];
}

const RARE_TEXT = and({ field: 'hostname', operator: 'contains', value: '-00ZZ' });
const BEGINNINGS = and({ field: 'hostname', operator: 'matches', value: '^Desktop-(00|01)[a-z].*-7[0-9]$' });
const RARE_TAG = and({ field: 'tags', operator: 'hasAny', value: ['pci', 'lab'] });
const ONLINE = and({ field: 'status', operator: 'equals', value: 'online' });
const ANY = and({ field: 'hostname', operator: 'isNotNull' });
const RARE_SOFTWARE = and(
  { field: 'software.installed', operator: 'equals', value: 'Tool 77' },
  { field: 'status', operator: 'equals', value: 'online' },
);
const flag = (field: string) => and({ field, operator: 'equals', value: true });
const ONLINE_LINUX = and(
  { field: 'status', operator: 'equals', value: 'online' },
  { field: 'osType', operator: 'equals', value: 'linux' },
);
const WITH_ALERTS = and(
  { field: 'alerts.critical', operator: 'equals', value: true },
  { field: 'patches.pending', operator: 'equals', value: false },
  { field: 'osType', operator: 'equals', value: 'windows' },
);

describe('the plan of a preview', () => {
  const cases: readonly (readonly [string, AccessScope, RawGroup, PreviewShape, string])[] = [
    [
      'a rare text within host names',
      SYSTEM_SCOPE,
      RARE_TEXT,
      'materialized',
      'Bitmap Index Scan device_hostname_lc_trgm',
    ],
    [
      'a rare text, counted on the way',
      SYSTEM_SCOPE,
      RARE_TEXT,
      'windowed',
      'Bitmap Index Scan device_hostname_lc_trgm',
    ],
    [
      'two beginnings of host names',
      SYSTEM_SCOPE,
      BEGINNINGS,
      'materialized',
      'Index Only Scan device_order',
    ],
    [
      'two beginnings in an organization',
      LARGE,
      BEGINNINGS,
      'materialized',
      'Index Only Scan device_org_order',
    ],
    ['a rare tag', SYSTEM_SCOPE, RARE_TAG, 'materialized', 'Bitmap Index Scan device_tags'],
    ['a rare tag, counted on the way', SYSTEM_SCOPE, RARE_TAG, 'windowed', 'Bitmap Index Scan device_tags'],
    ['the count of a status', SYSTEM_SCOPE, ONLINE, 'split', 'Index Only Scan device_state_status'],
    ['the count of several words', SYSTEM_SCOPE, ONLINE_LINUX, 'split', 'Index Only Scan device_state_enums'],
    ['the count of a status in one organization', SMALL, ONLINE, 'split', 'device_state_org'],
    ['the page of one organization', SMALL, ANY, 'split', 'Index Scan device_org_order'],
    ['the page of everything', SYSTEM_SCOPE, ANY, 'split', 'Index Scan device_order'],
    [
      'rare software',
      SYSTEM_SCOPE,
      RARE_SOFTWARE,
      'materialized',
      'Bitmap Index Scan device_software_titles',
    ],
    ['pending patches', SYSTEM_SCOPE, flag('patches.pending'), 'split', 'device_state_pending_patches'],
    ['critical alerts', SYSTEM_SCOPE, flag('alerts.critical'), 'split', 'device_state_critical_alerts'],
    [
      'a reboot that is required',
      SYSTEM_SCOPE,
      flag('system.rebootRequired'),
      'split',
      'device_state_reboot_required',
    ],
    [
      'the count of a flag with words and others',
      SYSTEM_SCOPE,
      WITH_ALERTS,
      'split',
      'Index Only Scan device_state_critical_alerts',
    ],
    [
      'the page of critical alerts',
      SYSTEM_SCOPE,
      flag('alerts.critical'),
      'split',
      'Index Scan device_critical_alerts_order',
    ],
  ];

  test.each(cases)('has an index for %s', async (_what, scope, group, shape, scan) => {
    const scans = await scansOf(scope, group, shape);
    expect(scans).toContainEqual(expect.stringMatching(`${scan}$`));
    expect(scans).not.toContain('Seq Scan device');
  });

  test('reads the whole table if no index helps', async () => {
    const scans = await scansOf(
      SYSTEM_SCOPE,
      and({ field: 'lastUser', operator: 'contains', value: 'x' }),
      'materialized',
    );
    expect(scans).toContain('Seq Scan device');
  });
});

test('names of software in one organization are looked up in its own list only', async () => {
  const names = new Set(['tool 77', 'nothing']);
  const patterns = new Set(['%77%']);
  const none: ReadonlySet<string> = new Set();
  for (const lookups of [
    { names, patterns: none, versions: none },
    { names: none, patterns, versions: none },
    { names, patterns, versions: none },
  ]) {
    const scans = await world.connected('reader', (client) =>
      scansBy(client, ScopedStatement.titles(SMALL, lookups)),
    );
    const index = 'Index Only Scan organization_software_names';
    // Parts are also looked for in the long names, which lie beside the index.
    const inLong = ['Bitmap Heap Scan organization_software', index.replace('Index Only', 'Bitmap Index')];
    expect(scans).toStrictEqual([
      ...(lookups.names.size > 0 ? [index] : []),
      ...(lookups.patterns.size > 0 ? [index, ...inLong] : []),
    ]);
  }
});
