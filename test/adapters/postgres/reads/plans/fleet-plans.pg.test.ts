/** How PostgreSQL reads the lists of a fleet: each from its index, and no further than the end of a page. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { aDevice, anAlert, orgScope, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const DEVICES = 4_000;
const ALERTS = { deviceId: null, after: null, limit: 51 };
const PATCHES = { after: 'KB1', limit: 51 };

let world: PostgresWorld;
/** One organization with a hundredth of the devices. */
let ONE: AccessScope;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const { orgIds } = await createTenant(world.backend, 4);
  const [small, ...others] = orgIds as [OrgId, ...OrgId[]];
  ONE = orgScope(small);
  const numbers = Array.from({ length: DEVICES }, (_, n) => n);
  const wordAt = <W>(words: readonly W[], n: number) => words[n % words.length] as W;
  await loadFleet(
    world.backend,
    numbers.flatMap((n) => {
      const orgId = n % 100 === 0 ? small : wordAt(others, n);
      const patches = [0, 1, 2].map((i) => ({
        id: null,
        title: `KB${(n * 3 + i) % 2_000}`,
        status: wordAt(PATCH_STATUSES, n),
      }));
      const alert = anAlert({
        orgId,
        severity: wordAt(ALERT_SEVERITIES, n),
        status: wordAt(ALERT_STATUSES, n >> 3),
        createdAt: SOME_INSTANT + n,
      });
      return [aDevice({ orgId, patches }), alert];
    }),
  );
  // As in `query-plans.pg.test.ts`: a vacuum marks only pages that are surely on disk.
  await world.query('owner', 'set synchronous_commit = on; create table settled ()');
  await world.query('owner', 'vacuum (analyze) device, alert, patch, organization');
});
afterAll(() => world.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The scans of the statement as the reader runs it, and the most rows that one of them read. */
async function scansOf(statement: ScopedStatement) {
  const { rows } = await world.connected('reader', async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query('set max_parallel_workers_per_gather = 0');
    const places = statement.values.map(() => 'unknown').join(', ');
    await client.query(`prepare listed${places === '' ? '' : `(${places})`} as ${statement.text}`);
    const values = statement.values.map((value) =>
      client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    const execute = `execute listed${values.length === 0 ? '' : `(${values.join(', ')})`}`;
    return client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `explain (analyze, format json) ${execute}`,
    );
  });
  const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  const scans = nodes.filter(
    (node) => node['Index Name'] !== undefined || node['Relation Name'] !== undefined,
  );
  return {
    names: scans.map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`),
    read: Math.max(...scans.map((node) => node['Actual Rows'] * node['Actual Loops'])),
  };
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

test.each<readonly [string, () => ScopedStatement, RegExp, number]>([
  [
    'the alerts of all organizations',
    () => ScopedStatement.alerts(SYSTEM_SCOPE, { ...ALERTS, foldedText: '', status: null, severity: null }),
    /^Index Scan alert_newest$/,
    51,
  ],
  [
    'rare alerts of all organizations',
    () =>
      ScopedStatement.alerts(SYSTEM_SCOPE, {
        ...ALERTS,
        foldedText: '',
        status: 'resolved',
        severity: 'info',
      }),
    /^Index Scan alert_newest$/,
    51,
  ],
  [
    'the alerts of one organization',
    () => ScopedStatement.alerts(ONE, { ...ALERTS, foldedText: '', status: 'active', severity: null }),
    /Index Scan alert_org_newest$/,
    51,
  ],
  [
    'the patches of all organizations',
    () => ScopedStatement.patches(SYSTEM_SCOPE, { ...PATCHES, status: null }),
    /^Index Only Scan patch_org_titles$/,
    // A title has a few devices in each of four organizations.
    51 * 4 * 8,
  ],
  [
    'the patches of one organization in one status',
    () => ScopedStatement.patches(ONE, { ...PATCHES, status: 'failed' }),
    /^Index Only Scan patch_org_titles$/,
    51 * 8,
  ],
  [
    'the numbers of devices',
    () => ScopedStatement.organizations(SYSTEM_SCOPE),
    /^Index Only Scan device_/,
    DEVICES,
  ],
])('an index gives %s', async (_, statement, scan, most) => {
  const { names, read } = await scansOf(statement());
  expect(names).toContainEqual(expect.stringMatching(scan));
  expect(names.filter((name) => /^Seq Scan (alert|patch|device)$/.test(name))).toStrictEqual([]);
  expect(read).toBeLessThanOrEqual(most);
});
