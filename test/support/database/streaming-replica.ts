/** A separate PostgreSQL for one test with a streaming replica: two embedded servers. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#adapters/embedded-postgres/embedded-postgres.ts';
import { takeBaseBackup } from './base-backup.ts';

export interface ReplicatedServer {
  /** The owner's connection string of the primary. */
  readonly primaryUrl: string;
  /** The owner's connection string of the replica. A restart does not change it. */
  readonly replicaUrl: string;
  /** Stops the replica, which ends every connection to it. */
  stopReplica(): Promise<void>;
  /** Starts the replica again at the same address. */
  startReplica(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing has to be durable, because no data outlives the test. */
const PRIMARY_SETTINGS = { fsync: 'off', wal_keep_size: '256MB' };

/** `settings` are those of the replica, by name. */
export async function startReplicatedServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<ReplicatedServer> {
  const home = await mkdtemp(join(tmpdir(), 'fleetsift-replicated-'));
  const dataDirs = { primary: join(home, 'primary'), replica: join(home, 'replica') };
  await mkdir(dataDirs.primary);
  const primary = await startEmbeddedPostgres({ dataDir: dataDirs.primary, settings: PRIMARY_SETTINGS });
  await takeBaseBackup(primary.url, dataDirs.primary, dataDirs.replica, 'standby.signal');
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
