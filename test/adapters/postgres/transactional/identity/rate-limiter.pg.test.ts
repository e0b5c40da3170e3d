/** Rate limits on PostgreSQL: windows over time, several instances, and leftover rows. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { RateRule } from '#application/ports/auth/stores/rate-limiter.ts';
import { aRateKey, movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;
const { clock, moveTo } = movableClock();

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'), { clock });
});

afterAll(() => world.close());

const aRule = (given: Partial<RateRule> = {}): RateRule => ({
  name: `rule-${newId()}`,
  points: 5,
  windowSeconds: 300,
  ...given,
});

describe('two instances', () => {
  test('count together, however many requests come at once', async () => {
    const other = await openPostgresBackend({ ...BACKEND_OPTIONS, url: world.url, clock });
    try {
      const rule = aRule();
      const verdicts = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          (i % 2 === 0 ? world.backend : other).rateLimiter.consume(aRateKey(rule, 'k')),
        ),
      );
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
      const refused = verdicts.filter((verdict) => !verdict.allowed);
      expect(refused.map(({ retryAfterSeconds }) => retryAfterSeconds)).toStrictEqual(Array(45).fill(300));
      expect(refused.filter(({ isFirstRefusal }) => isFirstRefusal)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('the table of rate limits', () => {
  test('holds no email address and no IP address', async () => {
    await world.backend.rateLimiter.consume(aRateKey(aRule(), 'sam@example.com', '192.0.2.7'));
    const rows = await world.query<{ row: string }>('owner', 'select r::text as row from rate_limit r');
    expect(rows.filter(({ row }) => row.includes('sam@') || row.includes('192.0.2.7'))).toStrictEqual([]);
  });

  test('is not written to by a flood', async () => {
    const rule = aRule({ points: 1 });
    const versions = () => world.query('owner', 'select xmin, ctid from rate_limit order by key');
    for (let i = 0; i < 2; i++) await world.backend.rateLimiter.consume(aRateKey(rule, 'k'));
    const before = await versions();
    for (let i = 0; i < 20; i++) await world.backend.rateLimiter.consume(aRateKey(rule, 'k'));
    expect(await versions()).toStrictEqual(before);
  });

  test('loses counters whose window has passed when new ones begin', async () => {
    moveTo(SOME_INSTANT);
    const rule = aRule();
    for (let i = 0; i < 30; i++) await world.backend.rateLimiter.consume(aRateKey(rule, `old ${i}`));
    moveTo(SOME_INSTANT + 300_000);
    for (let i = 0; i < 10; i++) await world.backend.rateLimiter.consume(aRateKey(rule, `new ${i}`));
    const rows = await world.query('owner', 'select 1 from rate_limit where expires_at <= $1', [
      new Date(SOME_INSTANT + 300_000),
    ]);
    expect(rows).toStrictEqual([]);
  });
});
