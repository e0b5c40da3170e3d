/** A PostgreSQL of a test's own with a replica that streams from it: two of the embedded servers. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#adapters/embedded-postgres/embedded-postgres.ts';

export interface ReplicatedServer {
  /** The owner's connection string of the primary. */
  readonly primaryUrl: string;
  /** Of the replica; the same until the pair is closed. */
  readonly replicaUrl: string;
  /** Ends the replica, and every connection to it. */
  stopReplica(): Promise<void>;
  /** Starts it again, at the same address. */
  startReplica(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing outlives the test. */
const PRIMARY_SETTINGS = { fsync: 'off', wal_keep_size: '256MB' };

/** `settings` are the replica's, by name. */
export async function startReplicatedServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<ReplicatedServer> {
  const home = await mkdtemp(join(tmpdir(), 'fleetsift-replicated-'));
  const dataDirs = { primary: join(home, 'primary'), replica: join(home, 'replica') };
  await mkdir(dataDirs.primary);
  const primary = await startEmbeddedPostgres({ dataDir: dataDirs.primary, settings: PRIMARY_SETTINGS });
  await backUp(primary.url, dataDirs.primary, dataDirs.replica);
  const { hostname, port, username, password } = new URL(primary.url);
  const start = () =>
    startEmbeddedPostgres({
      dataDir: dataDirs.replica,
      settings: {
        fsync: 'off',
        primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
        ...settings,
      },
    });
  let replica: EmbeddedPostgres = await start();
  const replicaUrl = replica.url;
  return {
    primaryUrl: primary.url,
    replicaUrl,
    stopReplica: () => replica.stop(),
    startReplica: async () => {
      replica = await start();
      if (replica.url !== replicaUrl) throw new Error('the replica has come back at another address');
    },
    close: async () => {
      await replica.stop();
      await primary.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A base backup, by hand: `pg_basebackup` is not among the programs that come with the package. */
async function backUp(url: string, from: string, to: string): Promise<void> {
  await mkdir(to);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', fast => true)`);
    const cluster = join(to, 'postgres');
    await cp(join(from, 'postgres'), cluster, {
      recursive: true,
      // The log comes by streaming; the locks are the primary's.
      filter: (path) => !/[/\\](pg_wal[/\\].*|postmaster\.(pid|opts))$/.test(path),
    });
    await cp(join(from, 'postgres.password'), join(to, 'postgres.password'));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(cluster, 'standby.signal'), '');
  } finally {
    await client.end();
  }
}
