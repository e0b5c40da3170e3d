/** The metrics of a service on PostgreSQL: its pools, and the backlog of its database. */
import { compose } from 'fleetsift';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeMetrics } from '#adapters/metrics/metrics.ts';
import { createMigratedDatabase } from '#test/support/database/fresh-database.ts';

test('the metrics show the size and the use of every pool, and the backlog of the database', async () => {
  const { url, drop } = await createMigratedDatabase(inject('databaseUrl'), inject('templateDatabase'));
  onTestFinished(drop);
  const metrics = makeMetrics('1.2.3');
  const service = await compose({
    databaseUrl: url,
    migrate: true,
    filterTimeoutMs: 2_000,
    trustedProxies: [],
    logLevel: 'silent',
    metrics,
  });
  onTestFinished(() => service.close());
  const text = await metrics.print();
  const pools = [...text.matchAll(/^fleetsift_pool_size\{pool="([a-z-]+)"\} (\d+)$/gm)];
  expect(pools.map(([, pool]) => pool)).toStrictEqual([
    'work',
    'identification',
    'sign-in',
    'evaluation',
    'search',
    'look-up',
    'export',
    'bulk',
    'inventory',
  ]);
  for (const [, , size] of pools) expect(Number(size)).toBeGreaterThan(0);
  expect(text).toContain('\nfleetsift_pool_in_use{pool="evaluation"} 0\n');
  expect(text).toContain('\nfleetsift_pool_waiting{pool="evaluation"} 0\n');
  expect(text).toContain('\nfleetsift_backlog_readable 1\n');
  expect(text).toContain('\nfleetsift_mail_outbox_depth 0\n');
});
