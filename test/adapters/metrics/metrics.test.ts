/** What the metrics show of a service in memory, and what they never show. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compose } from 'fleetsift';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { makeMetrics } from '#adapters/metrics/metrics.ts';
import { bindMetrics } from '#adapters/metrics/serve-metrics.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { aDevice, anApiKey, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { SINGLE_BUDGETS } from '#test/support/http/budgets.ts';
import { aMail } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const CONDITIONS = {
  operator: 'AND',
  conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
};

const metrics = makeMetrics('1.2.3');
const backend = createMemoryBackend({
  clock: Date.now,
  newId,
  hashPassword: async () => 'hash',
  digestSecret,
  translatePattern,
});
const config = { databaseUrl: null, migrate: false, filterTimeoutMs: 1_000, trustedProxies: [] };
let service: Awaited<ReturnType<typeof compose>>;
let server: Awaited<ReturnType<typeof bindMetrics>>;
let headers: Readonly<Record<string, string>>;
let tenant: Awaited<ReturnType<typeof createTenant>>;

beforeAll(async () => {
  service = await compose(
    { ...config, logLevel: 'silent', metrics, budgets: SINGLE_BUDGETS },
    { backend, verifyPassword: async () => ({ matches: false, isOutdated: false }) },
  );
  server = await bindMetrics({ host: '127.0.0.1', port: 0 });
  server.answerWith(metrics);
  tenant = await createTenant(backend);
  const key = anApiKey({ userId: tenant.userId });
  await loadFleet(backend, [key, aDevice({ orgId: tenant.orgId, hostname: 'canary-host' })]);
  headers = { 'X-API-Key': key.key, 'Content-Type': 'application/json' };
});

afterAll(async () => {
  await server.close();
  await service.close();
});

const post = (path: string, body: object, given = headers) =>
  service.app.request(path, { method: 'POST', headers: given, body: JSON.stringify(body) });

/** Values by name and labels. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(server.url);
  expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, metrics.contentType]);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('the metrics', () => {
  test('count requests by route, method and status', async () => {
    await service.app.request(`/api/v1/devices/${newId()}`, { headers });
    await service.app.request('/canary-path');
    await service.app.request('/api/v1/devices/query', { method: 'CANARY' });
    const values = await scrape();
    const count = 'fleetsift_http_request_duration_seconds_count';
    expect(values.get(`${count}{route="/api/v1/devices/:id",method="GET",status="404"}`)).toBe(1);
    expect(values.get(`${count}{route="none",method="GET",status="404"}`)).toBe(1);
    expect(values.get(`${count}{route="/api/v1/devices/query",method="other",status="405"}`)).toBe(1);
  });

  test('count previews and searches by outcome', async () => {
    await post('/api/v1/filters/preview', { conditions: CONDITIONS });
    await post('/api/v1/filters/preview', { conditions: {} });
    await service.app.request('/api/v1/search?q=canary', { headers });
    const values = await scrape();
    const count = 'fleetsift_evaluation_duration_seconds_count';
    expect(values.get(`${count}{kind="preview",outcome="done"}`)).toBe(1);
    expect(values.get(`${count}{kind="preview",outcome="refused"}`)).toBe(1);
    expect(values.get(`${count}{kind="search",outcome="done"}`)).toBe(1);
  });

  test('count sign-ins by outcome', async () => {
    await post('/api/v1/auth/login', { email: 'canary@example.com', password: 'x' }, CONTENT);
    expect((await scrape()).get('fleetsift_sign_ins_total{outcome="invalid_credentials"}')).toBe(1);
  });

  test('count mails and runs of jobs by outcome, and tell when a job was last completed', async () => {
    await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mail(aMail()));
    const before = Math.floor(Date.now() / 1_000);
    const worker = service.startWorker({
      sendMail: async () => ({ result: 'refused', problem: 'no such mailbox', code: '550' }),
      baseUrl: 'http://localhost:3000',
      intervalMs: 10,
    });
    await vi.waitFor(async () => {
      const values = await scrape();
      expect(values.get('fleetsift_mails_total{outcome="refused"}')).toBe(1);
      expect(values.get('fleetsift_job_duration_seconds_count{job="mail",outcome="done"}')).toBeGreaterThan(
        0,
      );
    });
    await worker.stop(1_000);
    const doneAt = (await scrape()).get('fleetsift_job_last_done_timestamp_seconds{job="mail"}');
    expect(doneAt).toBeGreaterThanOrEqual(before);
  });

  test('tell the versions of the service and of Node.js', async () => {
    expect((await scrape()).get(`fleetsift_build_info{version="1.2.3",node="${process.version}"}`)).toBe(1);
  });

  test('count refusals by the name of the limiter', async () => {
    const signIns = Array.from({ length: 12 }, () =>
      post('/api/v1/auth/login', { email: 'canary@example.com', password: 'x' }, CONTENT),
    );
    for (const each of signIns) await each;
    for (let i = 0; i < 12; i++) {
      await post('/api/v1/auth/login', { email: 'canary@example.com', password: 'x' }, CONTENT);
    }
    const values = await scrape();
    expect(values.get('fleetsift_refusals_total{limiter="sign-in"}')).toBeGreaterThan(0);
    expect(values.get('fleetsift_refusals_total{limiter="sign-in-email"}')).toBeGreaterThan(0);
  });

  test('show the backlog and the state of the process', async () => {
    const values = await scrape();
    expect(values.get('fleetsift_backlog_readable')).toBe(1);
    for (const name of [
      'mail_outbox_depth',
      'mail_outbox_oldest_age_seconds',
      'deletions_due',
      'deletions_overdue',
    ]) {
      expect([name, values.get(`fleetsift_${name}`)]).toStrictEqual([name, 0]);
    }
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(values.has('nodejs_eventloop_lag_seconds')).toBe(true);
  });

  test('contain nothing of a tenant', async () => {
    const text = await (await fetch(server.url)).text();
    expect(text).not.toContain('canary');
    expect(text).not.toContain('CANARY');
    expect(text).not.toContain(tenant.orgId);
    expect(text).not.toContain(tenant.userId);
  });
});

const CONTENT = { 'Content-Type': 'application/json' };

test('a backlog that cannot be read is reported, and hides no other metric', async () => {
  const blind = makeMetrics('1.2.3');
  const readBacklog = () => Promise.reject(new Error('gone'));
  blind.watch({
    pools: () => [
      { pool: 'work', size: 8, inUse: 2, waiting: 1 },
      { pool: 'search', size: 4, inUse: 0, waiting: 0 },
      { pool: 'search', replica: 'standby:5432', size: 4, inUse: 3, waiting: 0 },
    ],
    readBacklog,
    clock: Date.now,
  });
  const text = await blind.print();
  expect(text).toContain('\nfleetsift_backlog_readable 0\n');
  expect(text).toContain('\nfleetsift_pool_size{pool="work"} 8\n');
  expect(text).toContain('\nfleetsift_pool_in_use{pool="work"} 2\n');
  expect(text).toContain('\nfleetsift_pool_waiting{pool="work"} 1\n');
  expect(text).toContain('\nfleetsift_pool_in_use{pool="search"} 0\n');
  expect(text).toContain('\nfleetsift_pool_in_use{pool="search",replica="standby:5432"} 3\n');
});

test('the backlog is current, and is read once for all its gauges', async () => {
  const metrics = makeMetrics('1.2.3');
  let mails = 0;
  const readBacklog = vi.fn(async () => {
    await nextTurn();
    mails++;
    return {
      queuedMails: mails,
      oldestMailQueuedAt: 4_000,
      dueDeletions: 20 + mails,
      overdueDeletions: 30 + mails,
      ...{ membershipMarks: 40 + mails, oldestMarkAge: 1_500, dueTimers: 50 + mails },
      membershipChanges: 60 + mails,
    };
  });
  metrics.watch({ pools: () => [], readBacklog, clock: () => 10_000 });
  for (const count of [1, 2]) {
    const text = await metrics.print();
    expect(text).toContain(`\nfleetsift_mail_outbox_depth ${count}\n`);
    expect(text).toContain('\nfleetsift_mail_outbox_oldest_age_seconds 6\n');
    expect(text).toContain(`\nfleetsift_deletions_due ${20 + count}\n`);
    expect(text).toContain(`\nfleetsift_deletions_overdue ${30 + count}\n`);
    expect(text).toContain(`\nfleetsift_membership_marks ${40 + count}\n`);
    expect(text).toContain('\nfleetsift_membership_oldest_mark_age_seconds 1.5\n');
    expect(text).toContain(`\nfleetsift_membership_timers_due ${50 + count}\n`);
    expect(text).toContain(`\nfleetsift_membership_changes ${60 + count}\n`);
    expect(text).toContain('\nfleetsift_backlog_readable 1\n');
    expect(readBacklog).toHaveBeenCalledTimes(count);
  }
});

test('a backlog that cannot be read again keeps its last values, and is reported as unreadable', async () => {
  const metrics = makeMetrics('1.2.3');
  const backlog = {
    ...{ queuedMails: 3, oldestMailQueuedAt: null, dueDeletions: 0, overdueDeletions: 0 },
    ...{ membershipMarks: 0, oldestMarkAge: 0, dueTimers: 0, membershipChanges: 0 },
  };
  const readBacklog = vi.fn().mockResolvedValueOnce(backlog).mockRejectedValue(new Error('gone'));
  metrics.watch({ pools: () => [], readBacklog, clock: Date.now });
  await metrics.print();
  const text = await metrics.print();
  expect(text).toContain('\nfleetsift_mail_outbox_depth 3\n');
  expect(text).toContain('\nfleetsift_backlog_readable 0\n');
});

describe('the port of the metrics', () => {
  test.each([
    ['GET', '/', 404],
    ['GET', '/api/v1/filters', 404],
    ['POST', '/metrics', 405],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await fetch(new URL(path, server.url), { method })).status).toBe(status);
  });

  test('answers that the service is starting until there are metrics', async () => {
    const starting = await bindMetrics({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => starting.close());
    expect((await fetch(starting.url)).status).toBe(503);
    starting.answerWith(metrics);
    expect((await fetch(starting.url)).status).toBe(200);
  });

  test('that is in use is refused with the name of its setting', async () => {
    const { port } = new URL(server.url);
    const again = bindMetrics({ host: '127.0.0.1', port: Number(port) });
    await expect(again).rejects.toThrow('METRICS_PORT');
  });
});
