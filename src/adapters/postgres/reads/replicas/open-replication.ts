/** Opens the replicas of a primary: who asks how far they are, who reads there, and what requests may ask of them. */
import type { Pool } from 'pg';
import type { ScopedReader } from '#adapters/postgres/reads/scoped-reader.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connection-config.ts';
import type { WithFreshness } from '#application/ports/freshness.ts';
import type { ReplicaUse } from '#application/replica-use.ts';
import { type Admit, makeAdmitFresh } from './admit-fresh.ts';
import { FreshnessContext } from './freshness-context.ts';
import { PrimaryTimeline } from './primary-timeline.ts';
import { Replica, type ReplicaChange } from './replica.ts';
import { ReplicaSet } from './replica-set.ts';
import { makeReplicatedReader } from './replicated-reader.ts';
import { COMMITTED, REPLAYED, readPosition, WalProbe } from './wal-probe.ts';

export interface ReplicationOptions {
  /** How to reach the primary and each replica as the reader role. */
  readonly primary: DatabaseConnection;
  readonly replicas: readonly DatabaseConnection[];
  /** Contract: §15, REPLICA_MAX_LAG_MS. */
  readonly maxLagMs: number;
  /** To the primary: for asking where it is after a change. */
  readonly pool: Pool;
  readonly onChange: (change: ReplicaChange) => void;
}

export interface Replication {
  /** A reader on all servers; `open` opens one on a replica, by its place among the options. */
  beside(primary: ScopedReader, timeoutMs: number, open: OpenOnReplica): ScopedReader;
  readonly withFreshness: WithFreshness;
  /** To be called after each commit. */
  readonly noteCommit: () => void;
  use(): ReplicaUse;
  close(): Promise<void>;
}

export type OpenOnReplica = (place: number, admit: Admit) => ScopedReader;

/** The least time that a server has for telling where it is, and the most, in milliseconds. */
const SHORTEST_PATIENCE_MS = 100;
const LONGEST_PATIENCE_MS = 1_000;

export function openReplication(options: ReplicationOptions): Replication {
  const { maxLagMs, onChange } = options;
  const patienceMs = Math.min(LONGEST_PATIENCE_MS, Math.max(SHORTEST_PATIENCE_MS, maxLagMs / 2));
  const timeline = new PrimaryTimeline();
  const atPrimary = new WalProbe(options.primary, COMMITTED, patienceMs);
  const probes = [atPrimary];
  const replicas = options.replicas.map((connection) => {
    const probe = new WalProbe(connection, REPLAYED, patienceMs);
    probes.push(probe);
    const name = `${connection.host ?? 'localhost'}:${connection.port ?? 5432}`;
    return new Replica({ name, ask: () => probe.ask(), timeline, maxLagMs, onChange });
  });
  const set = new ReplicaSet({ replicas, timeline, askPrimary: () => atPrimary.ask(), maxLagMs });
  const context = new FreshnessContext();
  const admit = makeAdmitFresh(timeline, maxLagMs);
  return {
    beside: (primary, timeoutMs, open) => {
      const onReplicas = new Map(replicas.map((replica, place) => [replica, open(place, admit)]));
      return makeReplicatedReader({ primary, onReplicas, replicas: set, context, timeoutMs });
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
