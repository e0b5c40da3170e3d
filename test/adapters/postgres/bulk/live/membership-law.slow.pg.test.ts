/** The law of memberships on PostgreSQL, with evaluations that lose their connection before or after any statement. */
import { Pool, type PoolClient } from 'pg';
import { expect, inject, test } from 'vitest';
import { makeMemberships } from '#adapters/postgres/bulk/live/memberships.ts';
import type { Clock } from '#application/ports/clock.ts';
import { EVERYTHING, Killed, runModel } from '#test/application/live/membership-model.ts';
import { createPostgresWorld } from '#test/support/database/postgres-world.ts';

const STEPS = Number(process.env.MEMBERSHIP_STEPS ?? 3_000);

/** Its connections end before or after their statement number `countdown`, or before they commit. */
function killingPool(pool: Pool, countdown: number, isAfter: boolean): Pool {
  const connect = async () => {
    const client = await pool.connect();
    let left = countdown;
    return new Proxy(client, {
      get(target, key) {
        const member = Reflect.get(target, key);
        if (key !== 'query') return typeof member === 'function' ? member.bind(target) : member;
        return async (...given: Parameters<PoolClient['query']>) => {
          if (given[0] === 'rollback') throw new Killed();
          const isLast = left-- === 0 || (given[0] === 'commit' && !isAfter);
          if (isLast && !isAfter) throw new Killed();
          const answer = await Reflect.apply(target.query, target, given);
          if (isLast || given[0] === 'commit') throw new Killed();
          return answer;
        };
      },
    });
  };
  return new Proxy(pool, {
    get: (target, key) => (key === 'connect' ? connect : Reflect.get(target, key)),
  });
}

test('members and changes keep the law whenever a connection is lost', { timeout: 100_000_000 }, async () => {
  const openStore = async (clock: Clock) => {
    const world = await createPostgresWorld(inject('databaseUrl'), { clock, filterTimeoutMs: 60_000 });
    const pool = new Pool({ ...world.connection('app'), max: 1 });
    // A killed connection may still be closing when its database is dropped, and the pool then emits the error.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return {
      backend: world.backend,
      killing: (countdown: number, isAfter: boolean) =>
        makeMemberships(killingPool(pool, countdown, isAfter)),
      close: async () => {
        await pool.end();
        await world.close();
      },
    };
  };
  const seen = await runModel(STEPS, openStore, { atOnce: 3 });
  expect([...seen.keys()].toSorted()).toStrictEqual(EVERYTHING);
});
