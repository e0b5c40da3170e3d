/** Prometheus metrics, without any fact about a tenant (Contract: §15). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SendOutcome } from '#application/ports/mail/mail-sender.ts';
import { type Watched, watchState } from './watch-state.ts';

export interface RequestFact {
  readonly method: string;
  /** The registered pattern, never a path; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

export type EvaluationKind = 'preview' | 'search';

/** `refused` by a check of the input, `failed` by an exception. */
export type EvaluationOutcome = 'done' | 'timeout' | 'refused' | 'failed';

export interface Metrics {
  noteRequest(fact: RequestFact): void;
  noteEvaluation(kind: EvaluationKind, outcome: EvaluationOutcome, durationMs: number): void;
  noteRefusal(limiter: string): void;
  noteDiskFull(): void;
  /** The outcome is `done` or the code of the refusal. */
  noteSignIn(outcome: string): void;
  noteMail(outcome: SendOutcome['result'] | 'failed'): void;
  noteDelivery(outcome: 'delivered' | 'failed' | 'aborted'): void;
  noteJobRun(job: string, outcome: 'done' | 'failed', durationMs: number): void;
  watch(watched: Watched): void;
  readonly contentType: string;
  print(): Promise<string>;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Other methods are counted together, because clients could invent any number of them, each a new series. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function makeMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers });
  const requests = histogram(
    'fleetsift_http_request_duration_seconds',
    'Answered requests; a streamed answer counts until its first piece.',
    ['route', 'method', 'status'],
  );
  const evaluations = histogram(
    'fleetsift_evaluation_duration_seconds',
    'Previews and searches by outcome: done, timeout, refused or failed.',
    ['kind', 'outcome'],
  );
  const refusals = counter('fleetsift_refusals_total', 'Requests and attempts refused by a limit.', [
    'limiter',
  ]);
  const diskFull = counter(
    'fleetsift_disk_full_total',
    "Requests that failed because the database's disk was full.",
  );
  const signIns = counter(
    'fleetsift_sign_ins_total',
    'Sign-ins by outcome: done, or the code of the refusal.',
    ['outcome'],
  );
  const mails = counter(
    'fleetsift_mails_total',
    'Attempts to send mail by outcome: sent, refused, deferred, unreachable or failed.',
    ['outcome'],
  );
  const deliveries = counter(
    'fleetsift_webhook_deliveries_total',
    'Attempts to deliver to webhooks by outcome: delivered, failed or aborted.',
    ['outcome'],
  );
  const jobs = histogram(
    'fleetsift_job_duration_seconds',
    'Runs of the worker’s jobs by outcome: done or failed.',
    ['job', 'outcome'],
  );
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
    watch: (watched) => watchState(registry, watched),
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}
