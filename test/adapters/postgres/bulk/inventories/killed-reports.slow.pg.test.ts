/** Reports whose connection is killed while they are stored: each is stored whole, or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseOf, startService, type TestService } from '#test/api/service/service.ts';
import { anInventory } from '#test/support/builders.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant } from '#test/support/tenant.ts';

const ROUNDS = 40;
const TITLES = 200;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const inventoryOf = (version: number) =>
  anInventory(
    {
      hostname: `till-v${version}`,
      software: Array.from({ length: TITLES }, (_, i) => ({ name: `title ${i}`, version: String(version) })),
    },
    { inventoryId: 'till' },
  );

test('a report that is killed at any moment is stored whole or leaves the one before', async () => {
  const { backend } = service.composition;
  const { owner } = databaseOf(service);
  const { orgId } = await createTenant(backend);
  const outcomes = { stored: 0, killed: 0 };
  for (let version = 1; version <= ROUNDS; version++) {
    const report = reportInventory(backend, orgId, inventoryOf(version), Date.now()).then(
      () => 'stored' as const,
      () => 'killed' as const,
    );
    // Later with each round, so that every statement is hit.
    await sleep(version / 2);
    await owner.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    );
    outcomes[await report]++;
    const { rows } = await owner.query<{ hostname: string; versions: string[]; titles: number }>(
      `select hostname, array_agg(distinct version) versions, count(version)::int titles
       from device d left join device_software s on s.device_id = d.id left join software_version v on v.id = any(s.title_ids)
       where d.org_id = $1 group by d.id, hostname`,
      [orgId],
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    const [row] = rows;
    if (row === undefined) continue;
    expect(row.titles).toBe(TITLES);
    expect(row).toMatchObject({ versions: [row.hostname.slice('till-v'.length)] });
  }
  expect(outcomes.killed).toBeGreaterThan(0);
  const last = await reportInventory(backend, orgId, inventoryOf(ROUNDS + 1), Date.now());
  expect(last.ok).toBe(true);
});
