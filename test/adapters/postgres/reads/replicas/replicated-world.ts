/** A database with a replica, and backends that read there. */
import { Client } from 'pg';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { Position } from '#application/ports/freshness.ts';
import type { ReplicaUse } from '#application/telemetry/database-use.ts';
import type { OrgId } from '#domain/ids.ts';
import { aDevice } from '#test/support/builders.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { type ReplicatedServer, startReplicatedServer } from '#test/support/database/streaming-replica.ts';
import { until } from '#test/support/database/until.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** So much lag is allowed that a test alone decides what the replica lacks. */
export const MUCH_LAG_MS = 600_000;

export interface ReplicatedWorld {
  readonly server: ReplicatedServer;
  /** On the primary, with a backend that knows of no replica. */
  readonly world: PostgresWorld;
  readonly orgId: OrgId;
  /** The database at the replica. */
  readonly replicaUrl: string;
  /** Rows of a statement of the replica's superuser. */
  askReplica<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** Another device of the organization. */
  addDevice(hostname: string): Promise<void>;
  /** Until the replica has what the primary has. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export async function createReplicatedWorld(): Promise<ReplicatedWorld> {
  // A read that conflicts with replay is cancelled at once.
  const server = await startReplicatedServer({ max_standby_streaming_delay: '0' });
  const world = await createPostgresWorld(server.primaryUrl);
  const { orgId } = await createTenant(world.backend);
  const at = new URL(server.replicaUrl);
  at.pathname = new URL(world.url).pathname;
  const replicaUrl = at.href;
  const askReplica: ReplicatedWorld['askReplica'] = async <R extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ) => {
    const client = new Client({ connectionString: replicaUrl });
    await client.connect();
    try {
      return (await client.query<R>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const replicated: ReplicatedWorld = {
    server,
    world,
    orgId,
    replicaUrl,
    askReplica,
    addDevice: (hostname) => loadFleet(world.backend, [aDevice({ orgId, hostname })]),
    caughtUp: async () => {
      const rows = await world.query<{ at: string }>(
        'owner',
        'select pg_current_wal_flush_lsn()::text as at',
      );
      const isThere = async () => {
        const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"';
        const [row] = await askReplica<{ isThere: boolean }>(sql, [rows[0]?.at]).catch(() => []);
        return row?.isThere === true;
      };
      await until(isThere);
    },
    close: async () => {
      await world.close();
      await server.close();
    },
  };
  await replicated.caughtUp();
  return replicated;
}

/** A backend with replicas, as a request uses it. */
export interface ReplicatedBackend extends PostgresBackend {
  /** Does the work as a request whose reads may lag, unless they would miss what was seen. */
  lagging<T>(work: () => Promise<T>, seen?: Position | null): Promise<T>;
  /** Does the work as a request that changes something; gives the position of its answer. */
  changing(work: () => Promise<unknown>): Promise<Position | null>;
  use(): ReplicaUse;
  untilUsed(isUsed?: boolean): Promise<void>;
  /** The reported changes of replicas, such as `used` or the reason why one was passed over. */
  readonly changes: string[];
}

export async function openReplicatedBackend(
  { world }: ReplicatedWorld,
  replicaUrls: readonly string[],
  replicaMaxLagMs = MUCH_LAG_MS,
): Promise<ReplicatedBackend> {
  const changes: string[] = [];
  const backend = await openPostgresBackend({
    ...BACKEND_OPTIONS,
    url: world.url,
    migrate: false,
    filterTimeoutMs: 30_000,
    replicaUrls,
    replicaMaxLagMs,
    onReplicaChange: ({ isUsed, reason }) => changes.push(isUsed ? 'used' : (reason ?? '')),
  });
  const { withFreshness, replicas } = backend;
  if (withFreshness === undefined || replicas === undefined) throw new Error('there are no replicas');
  const lagging: ReplicatedBackend['lagging'] = async (work, seen = null) =>
    (await withFreshness({ mayLag: true, seen }, work)).result;
  return {
    ...backend,
    lagging,
    changing: async (work) => (await withFreshness({ mayLag: false, seen: null }, work)).position,
    use: replicas,
    untilUsed: async (isUsed = true) => {
      await lagging(async () => undefined);
      await until(async () => replicas().replicas.every((replica) => replica.isUsed === isUsed));
    },
    changes,
  };
}
