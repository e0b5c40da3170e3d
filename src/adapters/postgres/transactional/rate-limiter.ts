/** Rate limits on PostgreSQL, shared by every instance. */
import { createHash } from 'node:crypto';
import type { RateLimiter, RateRule } from '#application/ports/auth/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Orm } from './orm.ts';

/** Counters that have ended go when others begin, so that there are never many of them. */
const CLEARED_PER_WINDOW = 10;

export function makeRateLimiter(orm: Orm, clock: Clock): RateLimiter {
  return {
    consume: (rule, key) =>
      orm.within(SYSTEM_SCOPE).transactional(async (em) => {
        const now = clock();
        const at = new Date(now).toISOString();
        const until = new Date(now + rule.windowSeconds * 1_000).toISOString();
        const name = toCounter(rule, key);
        const taken = await em.execute<{ points: number }[]>(TAKE, [name, until, at, at, at, rule.points]);
        if (taken[0] !== undefined) {
          if (taken[0].points === 1) await em.execute(CLEAR, [at, CLEARED_PER_WINDOW]);
          return { allowed: true };
        }
        const [full] = await em.execute<{ ends_at: string }[]>(READ_END, [name]);
        const endsAt = full === undefined ? now : Number(full.ends_at);
        return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)) };
      }),
    refund: async (rule, key) => {
      await orm
        .within(SYSTEM_SCOPE)
        .transactional((em) =>
          em.execute(GIVE_BACK, [toCounter(rule, key), new Date(clock()).toISOString()]),
        );
    },
  };
}

/** What is counted is an email or an address, which is nobody's business in a table. */
function toCounter({ name }: RateRule, key: string): string {
  return `${name}:${createHash('sha256').update(key).digest('hex')}`;
}

/** No row comes back from a window that is full: it is left as it is. */
const TAKE = `
  insert into rate_limit as counter (key, points, expires_at) values (?, 1, ?)
  on conflict (key) do update set
    points = case when counter.expires_at <= ? then 1 else counter.points + 1 end,
    expires_at = case when counter.expires_at <= ? then excluded.expires_at else counter.expires_at end
  where counter.expires_at <= ? or counter.points < ?
  returning points`;

const READ_END = `select extract(epoch from expires_at) * 1000 as ends_at from rate_limit where key = ?`;

const GIVE_BACK = `
  update rate_limit set points = points - 1 where key = ? and expires_at > ? and points > 0`;

const CLEAR = `
  delete from rate_limit where key in (
    select key from rate_limit where expires_at <= ? order by expires_at limit ? for update skip locked)`;
