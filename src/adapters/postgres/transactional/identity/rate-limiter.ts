/** All instances share one row for each rule and key. */
import { hash } from 'node:crypto';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { counterName, type RateKey, type RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { secondsUntilRoom } from '#domain/access/sliding-window.ts';
import type { EpochMs } from '#domain/time.ts';

const CLEARED_PER_COUNTER = 10;

interface Counter {
  readonly instants: readonly EpochMs[];
  readonly isRefusing: boolean;
}

export function makeRateLimiter(orm: Orm, clock: Clock): RateLimiter {
  return {
    consume: (key) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const { rule } = key;
        const { points, windowSeconds } = rule;
        const name = nameOf(key);
        const now = clock();
        const begin = now - windowSeconds * 1_000;
        const until = new Date(now + windowSeconds * 1_000).toISOString();
        const counting = [name, now, until, begin, points, begin, points];
        const [changed] = await em.execute<Counter[]>(COUNT, counting);
        if (changed !== undefined && !changed.isRefusing) {
          const { length } = changed.instants;
          if (length === 1) await em.execute(CLEAR, [new Date(now).toISOString(), CLEARED_PER_COUNTER]);
          return { allowed: true, remaining: points - length };
        }
        const isFirstRefusal = changed !== undefined;
        const { instants } = changed ?? (await em.execute<Counter[]>(READ, [name]))[0] ?? NO_COUNTER;
        if ((instants.at(-1) ?? now) > now) await em.execute(SET_BACK, [now, until, name]);
        return { allowed: false, retryAfterSeconds: secondsUntilRoom(rule, instants, now), isFirstRefusal };
      }),
    refund: async (key) => {
      const begin = clock() - key.rule.windowSeconds * 1_000;
      await orm.withScope(SYSTEM_SCOPE, (em) => em.execute(REFUND, [nameOf(key), begin]));
    },
  };
}

function nameOf(key: RateKey): string {
  return counterName(key, (text) => hash('sha256', text, 'hex'));
}

const NO_COUNTER: Counter = { instants: [], isRefusing: true };

const COUNTER = `to_json(attempts) as instants, is_refusing as "isRefusing"`;

/**
 * Raw SQL, because a single upsert loses no attempt when instances count at once. The rule is the domain's
 * `countAttempt`. `excluded` has only the current attempt. A full counter that has already refused returns no
 * row, so a flood writes nothing.
 */
const COUNT = `
  insert into rate_limit as counter (key, attempts, is_refusing, expires_at)
  values (?, array[?::bigint], false, ?)
  on conflict (key) do update set (attempts, is_refusing, expires_at) = (
    select case when is_full then recent else recent || excluded.attempts end,
           is_full,
           case when is_full then least(counter.expires_at, excluded.expires_at) else excluded.expires_at end
    from (select array(select least(instant, excluded.attempts[1]) from unnest(counter.attempts) instant
                       where instant > ? order by 1) as recent) kept,
         lateral (select cardinality(recent) >= ? as is_full) state
  )
  where not counter.is_refusing
     or (select count(*) from unnest(counter.attempts) instant where instant > ?) < ?
  returning ${COUNTER}`;

const READ = `select ${COUNTER} from rate_limit where key = ?`;

/** Sets future attempts to now. A counter has such attempts if the clock was set back. */
const SET_BACK = `
  update rate_limit
  set attempts = array(select least(instant, ?) from unnest(attempts) instant order by 1),
      expires_at = least(expires_at, ?)
  where key = ?`;

/** The last attempt is the newest. If it has left the window, all have. */
const REFUND = `
  update rate_limit set attempts = trim_array(attempts, 1)
  where key = ? and attempts[cardinality(attempts)] > ?`;

const CLEAR = `
  delete from rate_limit where key in (
    select key from rate_limit where expires_at <= ? order by expires_at limit ? for update skip locked)`;
