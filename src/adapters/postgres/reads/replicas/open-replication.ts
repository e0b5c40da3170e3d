import type { Pool } from 'pg';
import type { ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { WithFreshness } from '#application/ports/freshness.ts';
import type { ReplicaChange, ReplicaUse } from '#application/telemetry/database-use.ts';
import {
  type Admit,
  COMMITTED,
  makeAdmitFresh,
  PrimaryTimeline,
  REPLAYED,
  readPosition,
  WalProbe,
} from './freshness.ts';
import { Replica } from './replica.ts';
import { FreshnessContext, makeReplicatedReader, ReplicaSet } from './replicated-reader.ts';

export interface ReplicationOptions {
  readonly url: string;
  readonly replicaUrls: readonly string[];
  readonly connect: (url: string) => DatabaseConnection;
  /** Contract: §15, REPLICA_MAX_LAG_MS. */
  readonly maxLagMs: number;
  /** Used to read the primary's position after a request has committed changes. */
  readonly pool: Pool;
  readonly onChange: (change: ReplicaChange) => void;
}

export interface Replication {
  openReader(timeoutMs: number, open: OpenAt): ScopedReader;
  readonly withFreshness: WithFreshness;
  readonly noteCommit: () => void;
  use(): ReplicaUse;
  close(): Promise<void>;
}

export type OpenAt = (url: string, admit?: Admit) => ScopedReader;

/** Bounds of the time that a server has to report its position. */
const SHORTEST_PATIENCE_MS = 100;
const LONGEST_PATIENCE_MS = 1_000;

/** How long the primary's positions are kept. If a replica is behind all of them, its lag is overestimated. */
const MEASURED_LAG_MS = 300_000;

export function openReplication(options: ReplicationOptions): Replication {
  const { url, replicaUrls, connect, maxLagMs, onChange } = options;
  const patienceMs = Math.min(LONGEST_PATIENCE_MS, Math.max(SHORTEST_PATIENCE_MS, maxLagMs / 2));
  const timeline = new PrimaryTimeline(Math.max(maxLagMs, MEASURED_LAG_MS));
  const atPrimary = new WalProbe(connect(url), COMMITTED, patienceMs);
  const probes = [atPrimary];
  const replicas = replicaUrls.map((replicaUrl) => {
    const connection = connect(replicaUrl);
    const probe = new WalProbe(connection, REPLAYED, patienceMs);
    probes.push(probe);
    const name = `${connection.host ?? 'localhost'}:${connection.port ?? 5432}`;
    const replica = new Replica({ name, ask: () => probe.ask(), timeline, maxLagMs, onChange });
    return { url: replicaUrl, replica };
  });
  const set = new ReplicaSet({
    replicas: replicas.map(({ replica }) => replica),
    timeline,
    askPrimary: () => atPrimary.ask(),
    maxLagMs,
  });
  const context = new FreshnessContext();
  const admit = makeAdmitFresh(timeline, maxLagMs);
  return {
    openReader: (timeoutMs, open) => {
      const onReplicas = new Map(replicas.map((at) => [at.replica, open(at.url, admit)]));
      return makeReplicatedReader({ primary: open(url), onReplicas, replicas: set, context, timeoutMs });
    },
    withFreshness: async (freshness, work) => {
      set.watch();
      const { result, hasCommitted } = await context.run(freshness, work);
      const position = hasCommitted ? await readPosition(options.pool).catch(() => null) : null;
      return { result, position };
    },
    noteCommit: () => context.noteCommit(),
    use: () => set.use,
    close: async () => {
      await set.stop();
      await Promise.all(probes.map((probe) => probe.close()));
    },
  };
}
