/** Rate limits on PostgreSQL, shared by every instance. */
import { createHash } from 'node:crypto';
import { type RawQueryFragment, raw } from '@mikro-orm/core';
import type { RateLimiter, RateRule } from '#application/ports/auth/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { RateLimitRow } from './entities/rate-limit-row.ts';
import type { Orm } from './orm.ts';

/** How many expired counters are cleared away when a window begins, so that they never pile up. */
const CLEARED_PER_WINDOW = 10;

export function makeRateLimiter(orm: Orm, clock: Clock): RateLimiter {
  return {
    consume: (rule, key) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const now = clock();
        const at = new Date(now).toISOString();
        const until = new Date(now + rule.windowSeconds * 1_000).toISOString();
        const name = toCounter(rule, key);
        const taken = await em.execute<{ points: number }[]>(TAKE, [name, until, at, at, at, rule.points]);
        if (taken[0] !== undefined) {
          if (taken[0].points === 1) await em.execute(CLEAR, [at, CLEARED_PER_WINDOW]);
          return { allowed: true };
        }
        const full = await em.findOne(RateLimitRow, name);
        const endsAt = full?.expiresAt.getTime() ?? now;
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)) };
      }),
    refund: async (rule, key) => {
      const isCounted = {
        key: toCounter(rule, key),
        expiresAt: { $gt: new Date(clock()) },
        points: { $gt: 0 },
      };
      await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.nativeUpdate(RateLimitRow, isCounted, { points: raw<RawQueryFragment>('points - 1') }),
      );
    },
  };
}

/** Hashed: the key is an email or an IP address, which has no place in a table. */
function toCounter({ name }: RateRule, key: string): string {
  return `${name}:${createHash('sha256').update(key).digest('hex')}`;
}

/**
 * Raw: one upsert, so that no attempt is lost when instances count at once. A full window stays as it is and returns
 * no row.
 */
const TAKE = `
  insert into rate_limit as counter (key, points, expires_at) values (?, 1, ?)
  on conflict (key) do update set
    points = case when counter.expires_at <= ? then 1 else counter.points + 1 end,
    expires_at = case when counter.expires_at <= ? then excluded.expires_at else counter.expires_at end
  where counter.expires_at <= ? or counter.points < ?
  returning points`;

/** Raw, for SKIP LOCKED: nobody waits to clear away a counter that somebody else is using or clearing. */
const CLEAR = `
  delete from rate_limit where key in (
    select key from rate_limit where expires_at <= ? order by expires_at limit ? for update skip locked)`;
