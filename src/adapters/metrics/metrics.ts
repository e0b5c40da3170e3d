/** Prometheus metrics, without any fact about a tenant (Contract: §15). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from '#application/ports/backlog-reader.ts';
import type { SendOutcome } from '#application/ports/mail/mail-sender.ts';
import type { PoolUse, ReplicaUse } from '#application/telemetry/database-use.ts';
import type { EpochMs } from '#domain/time.ts';

export interface RequestFact {
  readonly method: string;
  /** The registered pattern, never a path; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

export type EvaluationKind = 'preview' | 'search';

/** `refused`: a check of the input; `failed`: an exception. */
export type EvaluationOutcome = 'done' | 'timeout' | 'refused' | 'failed';

export interface Watched {
  readonly pools: () => readonly PoolUse[];
  readonly readBacklog: (now: EpochMs) => Promise<Backlog>;
  readonly clock: () => EpochMs;
  readonly replicas?: () => ReplicaUse;
}

export interface Metrics {
  noteRequest(fact: RequestFact): void;
  noteEvaluation(kind: EvaluationKind, outcome: EvaluationOutcome, durationMs: number): void;
  noteRefusal(limiter: string): void;
  noteDiskFull(): void;
  /** `done`, or the code of the refusal. */
  noteSignIn(outcome: string): void;
  noteMail(outcome: SendOutcome['result'] | 'failed'): void;
  noteDelivery(outcome: 'delivered' | 'failed' | 'aborted'): void;
  noteJobRun(job: string, outcome: 'done' | 'failed', durationMs: number): void;
  watch(watched: Watched): void;
  readonly contentType: string;
  print(): Promise<string>;
}

/** Seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients could create any number of series, so other methods are counted together. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function makeMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'fleetsift_http_request_duration_seconds',
    help: 'Answered requests; a streamed answer counts until its first piece.',
    labelNames: ['route', 'method', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const evaluations = new Histogram({
    name: 'fleetsift_evaluation_duration_seconds',
    help: 'Previews and searches by outcome: done, timeout, refused or failed.',
    labelNames: ['kind', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: 'fleetsift_refusals_total',
    help: 'Requests and attempts refused by a limit.',
    labelNames: ['limiter'],
    registers,
  });
  const diskFull = new Counter({
    name: 'fleetsift_disk_full_total',
    help: "Requests that failed because the database's disk was full.",
    registers,
  });
  const signIns = new Counter({
    name: 'fleetsift_sign_ins_total',
    help: 'Sign-ins by outcome: done, or the code of the refusal.',
    labelNames: ['outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'fleetsift_mails_total',
    help: 'Attempts to send mail by outcome: sent, refused, deferred, unreachable or failed.',
    labelNames: ['outcome'],
    registers,
  });
  const deliveries = new Counter({
    name: 'fleetsift_webhook_deliveries_total',
    help: 'Attempts to deliver to webhooks by outcome: delivered, failed or aborted.',
    labelNames: ['outcome'],
    registers,
  });
  const jobs = new Histogram({
    name: 'fleetsift_job_duration_seconds',
    help: 'Runs of the worker’s jobs by outcome: done or failed.',
    labelNames: ['job', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const heartbeat = new Gauge({
    name: 'fleetsift_job_last_done_timestamp_seconds',
    help: 'When the job last ran to its end in this process.',
    labelNames: ['job'],
    registers,
  });
  new Gauge({
    name: 'fleetsift_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  return {
    noteRequest: ({ method, route, status, durationMs }) => {
      const labels = {
        route: route ?? 'none',
        method: METHODS.has(method) ? method : 'other',
        status: String(status),
      };
      requests.observe(labels, durationMs / 1_000);
    },
    noteEvaluation: (kind, outcome, durationMs) => {
      evaluations.observe({ kind, outcome }, durationMs / 1_000);
    },
    noteRefusal: (limiter) => refusals.inc({ limiter }),
    noteDiskFull: () => diskFull.inc(),
    noteSignIn: (outcome) => signIns.inc({ outcome }),
    noteMail: (outcome) => mails.inc({ outcome }),
    noteDelivery: (outcome) => deliveries.inc({ outcome }),
    noteJobRun: (job, outcome, durationMs) => {
      jobs.observe({ job, outcome }, durationMs / 1_000);
      if (outcome === 'done') heartbeat.setToCurrentTime({ job });
    },
    watch: (watched) => {
      watchPools(registry, watched);
      watchBacklog(registry, watched);
      if (watched.replicas !== undefined) watchReplicas(registry, watched.replicas);
    },
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
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
  /** Once for all gauges of a collection; null if it fails. */
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
