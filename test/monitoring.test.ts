/** The alert rules, the dashboard and the manifests are about this version: its metrics, variables and probes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { makeMetrics } from '#adapters/metrics/metrics.ts';
import { readConfig } from '#adapters/system/read-config.ts';

const DOCS = join(import.meta.dirname, '../docs');
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const rules = (parse(read('monitoring/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('monitoring/dashboard.json')) as Dashboard;
const USED = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

const EXISTING = await existingNames();

/** The names of all metrics, with those of replicas, as Prometheus stores them. */
async function existingNames(): Promise<ReadonlySet<string>> {
  const metrics = makeMetrics('1.2.3');
  metrics.watch({
    pools: () => [],
    clock: Date.now,
    readBacklog: async () => ({
      queuedMails: 0,
      oldestMailQueuedAt: null,
      dueDeletions: 0,
      overdueDeletions: 0,
      ...{ membershipMarks: 0, oldestMarkAge: 0, dueTimers: 0, membershipChanges: 0 },
    }),
    replicas: () => ({
      replicas: [],
      reads: { primary: 0, replica: 0 },
      passedOver: { unreachable: 0, behind: 0, conflict: 0, failed: 0 },
    }),
  });
  const types = [...(await metrics.print()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => name + suffix) : [name],
    ),
  );
}

test.each(USED)('%s uses only metrics that exist', (_name, expr) => {
  const asked = expr.match(/\b(?:fleetsift|nodejs|process)_\w+/g) ?? [];
  expect(asked).not.toStrictEqual([]);
  expect(asked.filter((name) => !EXISTING.has(name))).toStrictEqual([]);
});

test('the alert for a stopped worker also fires when no process has the metric any more', () => {
  const metric = 'fleetsift_job_last_done_timestamp_seconds';
  const worker = rules.find(({ alert }) => alert === 'FleetsiftWorkerStopped');
  expect(worker?.expr.split(' or ')).toStrictEqual([
    `time() - max by (job) (${metric}) > 600`,
    `absent(${metric})`,
  ]);
});

test('every metric of the service is on the dashboard or in an alert', () => {
  const own = [...EXISTING].filter((name) => name.startsWith('fleetsift_') && !/_(?:bucket|sum)$/.test(name));
  const all = USED.map(([, expr]) => expr).join('\n');
  expect(own.filter((name) => !all.includes(name.replace(/_count$/, '')))).toStrictEqual(KNOWN_UNUSED);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  expect(EXISTING.size).toBeGreaterThan(registry.getMetricsAsArray().length);
});

/** Details for tracking down a fault. */
const KNOWN_UNUSED = ['fleetsift_reads_total', 'fleetsift_replica_passed_over_total'];

interface Probe {
  readonly httpGet: { readonly path: string };
}
interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly startupProbe: Probe;
          readonly readinessProbe: Probe;
          readonly livenessProbe: Probe;
        }[];
      };
    };
  };
}

test('the manifests configure a service that starts, and stop it gently', () => {
  const manifests = parseAllDocuments(read('deployment/kubernetes.yaml')).map(
    (one) => one.toJS() as Manifest,
  );
  expect(manifests.map(({ kind }) => kind)).toStrictEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
  const pod = manifests[0]?.spec.template.spec;
  const container = pod?.containers[0];
  if (pod === undefined || container === undefined) throw new Error('the deployment has no container');

  const directory = mkdtempSync(join(tmpdir(), 'fleetsift-secrets-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'database-url'), 'postgres://fleetsift@postgres:5432/fleetsift');
  writeFileSync(join(directory, 'secret-key'), 'k'.repeat(44));
  writeFileSync(join(directory, 'smtp-url'), 'smtp://mail');
  const env = container.env.map(({ name, value }) => [name, value.replace('/secrets', directory)]);
  const config = readConfig(Object.fromEntries(env));
  if (!config.ok) throw new Error(config.error.join('\n'));

  expect(config.value).toMatchObject({ smtpUrl: 'smtp://mail', metricsPort: 9464 });
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(config.value.drainSeconds + 10);
  const { startupProbe, readinessProbe, livenessProbe } = container;
  expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toStrictEqual([
    '/readyz',
    '/readyz',
    '/healthz',
  ]);
});
