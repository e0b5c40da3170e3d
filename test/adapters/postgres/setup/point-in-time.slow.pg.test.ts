/** Point-in-time recovery as in `docs/operating.md`: a base backup, the archived log and a target time. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { takeBaseBackup } from '#test/support/database/base-backup.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ANY_DEVICE = and({ field: 'hostname', operator: 'contains', value: '' });

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const ask = <T>(url: string, sql: string) =>
  connected(url, async (client) => (await client.query<{ value: T }>(sql)).rows[0]?.value);

test('a database restored to a point in time is refused until it is promoted, and then works', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fleetsift-point-in-time-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const [lost, restored, archive] = [join(home, 'lost'), join(home, 'restored'), join(home, 'archive')];
  for (const directory of [lost, archive]) await mkdir(directory);
  // For the account of PostgreSQL.
  await chmod(home, 0o711);
  await chmod(archive, 0o777);
  const server = await startEmbeddedPostgres({
    dataDir: lost,
    settings: {
      fsync: 'off',
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  });
  onTestFinished(() => server.stop());
  const before = await openPostgresBackend({ ...BACKEND_OPTIONS, url: server.url });
  const { orgId } = await createTenant(before);
  await takeBaseBackup(server.url, lost, restored, 'recovery.signal');
  await loadFleet(before, [aDevice({ orgId, hostname: 'kept' })]);
  const moment = await ask<string>(server.url, 'select clock_timestamp()::text as value');
  await sleep(10);
  await loadFleet(before, [aDevice({ orgId, hostname: 'undone' })]);
  await before.close();
  const last = await ask<string>(server.url, 'select pg_walfile_name(pg_switch_wal()) as value');
  const archived = 'select last_archived_wal as value from pg_stat_archiver';
  await until(async () => ((await ask<string>(server.url, archived)) ?? '') >= (last ?? '-'));

  const again = await startEmbeddedPostgres({
    dataDir: restored,
    settings: {
      fsync: 'off',
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment ?? '',
    },
  });
  onTestFinished(() => again.stop());
  const { url } = again;
  await until(
    async () => (await ask<string>(url, 'select pg_get_wal_replay_pause_state() as value')) === 'paused',
  );
  await expect(provisionDatabase({ url, migrate: true, secretNames: [] })).rejects.toThrow(/pg_promote/);
  await ask(url, 'select pg_promote() as value');
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url });
  onTestFinished(() => backend.close());
  expect(await findHostnames(backend, orgScope(orgId), ANY_DEVICE)).toStrictEqual(['kept']);
  await loadFleet(backend, [aDevice({ orgId, hostname: 'later' })]);
  expect(await findHostnames(backend, orgScope(orgId), ANY_DEVICE)).toStrictEqual(['kept', 'later']);
}, 120_000);
