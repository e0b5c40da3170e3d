/** Each kind of work has its own pool, so no kind waits for another. */

import { Pool, type PoolConfig } from 'pg';
import { openLiveListener } from '#adapters/postgres/bulk/live/live-news.ts';
import { WORD_SIMILARITY } from '#adapters/postgres/reads/sql/search/search-part.ts';
import type { PoolUse, ReplicaChange } from '#application/telemetry/database-use.ts';
import { type OpenAt, openReplication } from './reads/replicas/open-replication.ts';
import { openScopedReader } from './reads/running/scoped-reader.ts';
import { connectionConfig } from './setup/connections/connection-config.ts';
import { poolSizes } from './setup/connections/pool-sizes.ts';
import type { RoleCredentials } from './setup/security/secure-database.ts';
import { openOrm } from './transactional/orm.ts';

export interface BackendConnectionOptions {
  readonly url: string;
  readonly roles: RoleCredentials;
  readonly isPooled: boolean;
  readonly patienceMs: number;
  readonly databaseConnections: number | undefined;
  readonly filterTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly replicaUrls: readonly string[];
  readonly replicaMaxLagMs: number;
  readonly onReplicaChange: (change: ReplicaChange) => void;
}

/** An inventory soon gives up on a device that a load has locked, because the load can take minutes. */
const INVENTORY_LOCK_TIMEOUT_MS = 5_000;

/** Far longer than any statement of a request takes. Loads have no limit. */
const STATEMENT_TIMEOUT_MS = 30_000;

const EXPORT_BATCH_TIMEOUT_MS = 30_000;

/** A look-up can take this long, because a list of filters can be many megabytes. */
const LOOK_UP_TIMEOUT_MS = 10_000;

/** `bulk` serves loads, upkeep and the audit log. `replication` is null without replicas. */
export async function openBackendConnections(options: BackendConnectionOptions) {
  const { url, roles, isPooled, patienceMs, replicaUrls } = options;
  const sizes = poolSizes(options.databaseConnections);
  const asApp = (applicationName: string, settings: Readonly<Record<string, string>> = {}) =>
    connectionConfig(url, {
      as: roles.app,
      applicationName,
      isPooled,
      patienceMs,
      settings: { statement_timeout: String(STATEMENT_TIMEOUT_MS), ...settings },
    });
  const asReader = { as: roles.reader, isPooled, patienceMs };
  const bulk = openPool(asApp('fleetsift'), sizes.bulk);
  const replication =
    replicaUrls.length === 0
      ? null
      : openReplication({
          url,
          replicaUrls,
          connect: (address) =>
            connectionConfig(address, { ...asReader, applicationName: 'fleetsift replicas' }),
          maxLagMs: options.replicaMaxLagMs,
          pool: bulk,
          onChange: options.onReplicaChange,
        });
  const { work: orm, identification, 'sign-in': signIn } = await openOrm(asApp('fleetsift'), sizes);
  const inventory = openPool(
    asApp('fleetsift inventories', { lock_timeout: String(INVENTORY_LOCK_TIMEOUT_MS) }),
    sizes.inventory,
  );
  const liveListener = openLiveListener(
    connectionConfig(url, { as: roles.app, applicationName: 'fleetsift live', isPooled, patienceMs }),
  );
  const openReader = (
    applicationName: string,
    poolSize: number,
    timeoutMs: number,
    settings: Readonly<Record<string, string>> = {},
  ) => {
    const openAt: OpenAt = (address, admit) =>
      openScopedReader({
        connection: connectionConfig(address, {
          ...asReader,
          applicationName,
          settings: {
            statement_timeout: String(timeoutMs),
            // Parallel workers would take cores from other reads.
            max_parallel_workers_per_gather: '0',
            plan_cache_mode: 'force_generic_plan',
            // A stream of ids leaves its transaction idle while the consumer is slow, so the limit is high.
            idle_in_transaction_session_timeout: '10min',
            ...settings,
          },
        }),
        poolSize,
        timeoutMs,
        ...(admit !== undefined && { admit }),
      });
    return replication === null ? openAt(url) : replication.openReader(timeoutMs, openAt);
  };
  const reader = openReader('fleetsift reader', sizes.evaluation, options.filterTimeoutMs);
  const searchReader = openReader('fleetsift reader', sizes.search, options.searchTimeoutMs, {
    // The windows of search blocks are stored out of line, so a full scan looks cheaper to the planner than it is.
    enable_seqscan: 'off',
    ...WORD_SIMILARITY,
  });
  const lookUpReader = openReader('fleetsift look-up', sizes['look-up'], LOOK_UP_TIMEOUT_MS);
  const exportReader = openReader('fleetsift export', sizes.export, EXPORT_BATCH_TIMEOUT_MS);
  return {
    ...{ orm, identification, signIn, reader, searchReader, lookUpReader, exportReader },
    ...{ bulk, inventory, replication, listen: liveListener.listen },
    pools: (): readonly PoolUse[] => [
      { pool: 'work', ...orm.use() },
      { pool: 'identification', ...identification.use() },
      { pool: 'sign-in', ...signIn.use() },
      ...reader.use().map((use) => ({ pool: 'evaluation', ...use })),
      ...searchReader.use().map((use) => ({ pool: 'search', ...use })),
      ...lookUpReader.use().map((use) => ({ pool: 'look-up', ...use })),
      ...exportReader.use().map((use) => ({ pool: 'export', ...use })),
      { pool: 'bulk', ...useOf(bulk) },
      { pool: 'inventory', ...useOf(inventory) },
    ],
    close: async () => {
      await replication?.close();
      await liveListener.close();
      await Promise.all([
        ...[reader, searchReader, lookUpReader, exportReader].map((each) => each.close()),
        ...[orm.close(), bulk.end(), inventory.end()],
      ]);
    },
  };
}

function useOf({ options, totalCount, idleCount, waitingCount }: Pool): Omit<PoolUse, 'pool'> {
  return { size: options.max, inUse: totalCount - idleCount, waiting: waitingCount };
}

function openPool(connection: PoolConfig, max: number): Pool {
  const pool = new Pool({ ...connection, max, idleTimeoutMillis: 30_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
