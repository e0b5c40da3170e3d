/** Gauges that read the database, the replicas and the queues whenever metrics are requested. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Backlog } from '#application/ports/backlog-reader.ts';
import type { PoolUse, ReplicaUse } from '#application/telemetry/database-use.ts';
import type { EpochMs } from '#domain/time.ts';

export interface Watched {
  readonly pools: () => readonly PoolUse[];
  readonly readBacklog: (now: EpochMs) => Promise<Backlog>;
  readonly clock: () => EpochMs;
  readonly replicas?: () => ReplicaUse;
}

export function watchState(registry: Registry, watched: Watched): void {
  watchPools(registry, watched);
  watchBacklog(registry, watched);
  if (watched.replicas !== undefined) watchReplicas(registry, watched.replicas);
}

function watchPools(registry: Registry, { pools }: Pick<Watched, 'pools'>): void {
  const gauge = (name: string, help: string, measure: (use: PoolUse) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool', 'replica'],
      registers: [registry],
      collect() {
        for (const use of pools()) {
          const { pool, replica } = use;
          this.set({ pool, ...(replica !== undefined && { replica }) }, measure(use));
        }
      },
    });
  gauge('fleetsift_pool_size', 'Maximum number of connections.', ({ size }) => size);
  gauge('fleetsift_pool_in_use', 'Connections in use.', ({ inUse }) => inUse);
  gauge('fleetsift_pool_waiting', 'Requests waiting for a connection.', ({ waiting }) => waiting);
}

function watchReplicas(registry: Registry, replicas: () => ReplicaUse): void {
  const registers = [registry];
  new Gauge({
    name: 'fleetsift_replica_used',
    help: 'Whether reads go to the replica.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isUsed } of replicas().replicas) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'fleetsift_replica_lag_seconds',
    help: 'Upper bound of the replica’s lag; 0 if it has all commits of the primary. Absent until it has answered.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, lagMs } of replicas().replicas) {
        if (lagMs !== null) this.set({ replica: name }, lagMs / 1_000);
      }
    },
  });
  new Counter({
    name: 'fleetsift_reads_total',
    help: 'Previews, searches, look-ups and exports by the kind of server that answered.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(replicas().reads)) this.inc({ server }, count);
    },
  });
  new Counter({
    name: 'fleetsift_replica_passed_over_total',
    help: 'Reads meant for a replica that the primary answered.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(replicas().passedOver)) this.inc({ reason }, count);
    },
  });
}

function watchBacklog(
  registry: Registry,
  { readBacklog, clock }: Pick<Watched, 'readBacklog' | 'clock'>,
): void {
  let reading: Promise<{ readonly backlog: Backlog; readonly now: EpochMs } | null> | null = null;
  /** All gauges of one request for metrics share a read. Null if it fails. */
  const read = () => {
    const now = clock();
    reading ??= readBacklog(now)
      .then(
        (backlog) => ({ backlog, now }),
        () => null,
      )
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const gauge = (name: string, help: string, measure: (backlog: Backlog, now: EpochMs) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await read();
        if (found !== null) this.set(measure(found.backlog, found.now));
      },
    });
  gauge('fleetsift_mail_outbox_depth', 'Queued mails.', ({ queuedMails }) => queuedMails);
  gauge(
    'fleetsift_mail_outbox_oldest_age_seconds',
    'Age of the oldest queued mail; 0 without any.',
    ({ oldestMailQueuedAt: at }, now) => (at === null ? 0 : Math.max(0, now - at) / 1_000),
  );
  gauge('fleetsift_deletions_due', 'Approved deletions that are due.', ({ dueDeletions }) => dueDeletions);
  gauge(
    'fleetsift_deletions_overdue',
    'Deletion requests past their deadline.',
    ({ overdueDeletions }) => overdueDeletions,
  );
  gauge(
    'fleetsift_membership_marks',
    'Changed devices that wait to be matched with watched filters.',
    ({ membershipMarks }) => membershipMarks,
  );
  gauge(
    'fleetsift_membership_oldest_mark_age_seconds',
    'How long the oldest of these devices has waited; 0 without any.',
    ({ oldestMarkAge }) => oldestMarkAge / 1_000,
  );
  gauge(
    'fleetsift_membership_timers_due',
    'Devices that watched filters have to look at again because time has passed.',
    ({ dueTimers }) => dueTimers,
  );
  gauge(
    'fleetsift_membership_changes',
    'Changes of members of watched filters so far.',
    ({ membershipChanges }) => membershipChanges,
  );
  new Gauge({
    name: 'fleetsift_backlog_readable',
    help: 'Whether the outbox, the deletions and the memberships could be read; if 0, their gauges are old.',
    registers: [registry],
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
}
