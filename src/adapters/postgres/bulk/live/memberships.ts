import type { Pool, PoolClient } from 'pg';
import { tryLockOf, withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import type {
  ChangePage,
  MemberCount,
  MemberSnapshot,
  Memberships,
} from '#application/ports/live/memberships.ts';
import { type AccessScope, reachableOrgIds, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { ChangeCause, MembershipChange } from '#domain/membership/membership-change.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { stageEvaluation } from './evaluation.ts';
import { IS_SETTLED, ms } from './live-sql.ts';

export function makeMemberships(
  pool: Pool,
  listen: Memberships['listen'] = () => () => undefined,
): Memberships {
  const inReach = <T>(
    scope: AccessScope,
    work: (client: PoolClient, reach: Reach) => Promise<T>,
  ): Promise<T> => withScope(pool, scope, (client) => work(client, reachOf(scope)));
  return {
    watch: (scope, filterId) =>
      inReach(scope, async (client, reach) => {
        const { rowCount } = await client.query(
          `select 1 from saved_filter f where id = $1 and ${IN_REACH} for key share`,
          [filterId, ...reach],
        );
        if (rowCount === 0) return false;
        await client.query('select watch_filter($1)', [filterId]);
        return true;
      }),
    unwatch: (scope, filterId) =>
      inReach(scope, async (client, reach) => {
        const unwatch = `select unwatch_filter($1) from live_filter f where filter_id = $1 and ${IN_REACH}`;
        await client.query(unwatch, [filterId, ...reach]);
      }),
    members: (scope, filterId) =>
      inReach(scope, async (client, reach) => {
        const { rows } = await client.query<MemberSnapshot>(MEMBERS, [filterId, ...reach]);
        return rows[0] ?? null;
      }),
    membershipsOf: (scope, deviceId) =>
      inReach(scope, async (client, reach) => {
        const values = [deviceId, ...reach];
        const { rows } = await client.query<{ id: FilterId; since: EpochMs }>(MEMBERSHIPS_OF, values);
        return new Map(rows.map(({ id, since }) => [id, since]));
      }),
    changes: (scope, filterId, after, limit) =>
      inReach(scope, async (client, reach) => {
        const values = [filterId, ...reach, after, limit];
        return toPage((await client.query<ChangeRow>(CHANGES, values)).rows, after);
      }),
    heads: (filterIds) =>
      inReach(SYSTEM_SCOPE, async (client) => {
        const { rows } = await client.query<{ id: FilterId; seq: number }>(HEADS, [filterIds]);
        return new Map(rows.map(({ id, seq }) => [id, seq]));
      }),
    counts: (scope, filterId, instants) =>
      inReach(scope, async (client, reach) => {
        const afterEach = instants.map((at) => printInstant(at + 1));
        const { rows } = await client.query<CountRow>(COUNTS, [filterId, ...reach, afterEach]);
        return toCounts(rows, instants);
      }),
    countAt: (scope, filterId, seq) =>
      inReach(scope, async (client, reach) => {
        const { rows } = await client.query<{ count: number }>(COUNT_AT, [filterId, ...reach, seq]);
        return rows[0]?.count ?? null;
      }),
    waiting: (now) =>
      inReach(SYSTEM_SCOPE, async (client) => {
        const { rows } = await client.query<{ id: PartnerId }>(WAITING, [printInstant(now)]);
        return rows.map(({ id }) => id);
      }),
    forget: (keptFrom, keptCount) =>
      inReach(SYSTEM_SCOPE, async (client) => {
        await client.query(FORGET, [printInstant(keptFrom), keptCount]);
        const { rowCount } = await client.query(
          'delete from live_change c using live_filter f where f.filter_id = c.filter_id and c.seq <= f.forgotten',
        );
        await client.query(FORGET_FEEDS, [printInstant(keptFrom)]);
        return rowCount ?? 0;
      }),
    listen,
    evaluate: (partnerId, work) => evaluateAlone(pool, partnerId, work),
  };
}

/**
 * Returns null after a conflict with `unwatch`, the deletion of a filter or another evaluation. The worker tries again.
 */
async function evaluateAlone<T>(
  pool: Pool,
  partnerId: PartnerId,
  work: Parameters<typeof stageEvaluation<T>>[2],
): Promise<T | null> {
  try {
    return await withScope(
      pool,
      SYSTEM_SCOPE,
      async (client) =>
        (await tryLockOf(client, 'memberships', partnerId)) ? stageEvaluation(client, partnerId, work) : null,
      { isolation: 'repeatable read', mayTakeTime: true },
    );
  } catch (error) {
    if (classifyFailure(error) === 'conflict') return null;
    throw error;
  }
}

/**
 * The parameters of `IN_REACH`: the organizations in reach (null: all), and the partner if it is in reach as a whole.
 */
type Reach = readonly [readonly OrgId[] | null, PartnerId | null];

function reachOf(scope: AccessScope): Reach {
  const partnerId = scope.kind === 'partner' && scope.isWhole ? scope.partnerId : null;
  return [reachableOrgIds(scope), partnerId];
}

const IN_REACH = '($2::uuid[] is null or f.org_id = any($2) or f.partner_id = $3)';

const MEMBERS = `
  select f.seq::float8 as seq, f.filter_version as "filterVersion",
    ${ms('coalesce(f.evaluated_at, p.evaluated_at)')} as "evaluatedAt",
    array(select m.device_id::text from live_member m where m.filter_id = f.filter_id) as ids
  from live_filter f left join organization g on g.id = f.org_id
    join live_partner p on p.partner_id = coalesce(f.partner_id, g.partner_id)
  where f.filter_id = $1 and f.understood_as is not null and ${IN_REACH}`;

const MEMBERSHIPS_OF = `
  select m.filter_id as id, ${ms('m.since')} as since
  from live_member m join live_filter f using (filter_id)
  where m.device_id = $1 and f.is_watched and m.since is not null and ${IN_REACH}`;

/** Returns at least one row if the feed is in reach, even without changes. */
const CHANGES = `
  select f.seq::float8 as last, f.forgotten::float8 as forgotten, c.seq::float8 as seq, ${ms('c.at')} as at,
    c.type::text as type, c.device_id as "deviceId", c.hostname, c.cause::text as cause, c.filter_version as "filterVersion"
  from live_filter f left join lateral (
    select * from live_change c
    where c.filter_id = f.filter_id and c.seq > coalesce($4, greatest(f.forgotten, f.seq - $5)) order by c.seq limit $5
  ) c on true
  where f.filter_id = $1 and f.understood_as is not null and ${IN_REACH}
  order by c.seq`;

interface ChangeRow {
  readonly last: number;
  readonly forgotten: number;
  readonly seq: number | null;
  readonly at: EpochMs;
  readonly type: MembershipChange['type'];
  readonly deviceId: DeviceId;
  readonly hostname: string | null;
  readonly cause: ChangeCause;
  readonly filterVersion: number;
}

function toPage(rows: readonly ChangeRow[], start: number | null): ChangePage | 'expired' | null {
  const [first] = rows;
  if (first === undefined) return null;
  const after = start ?? (first.seq ?? first.last + 1) - 1;
  if (after < first.forgotten || after > first.last) return 'expired';
  const changes = rows.flatMap(
    ({ seq, at, type, deviceId, hostname, cause, filterVersion }): MembershipChange[] => {
      if (seq === null) return [];
      if (type === 'degraded' || type === 'recovered') return [{ seq, at, type, filterVersion }];
      return [{ seq, at, type, deviceId, hostname, cause, filterVersion }];
    },
  );
  return { changes, hasMore: after + changes.length < first.last };
}

const HEADS = `
  select filter_id as id, seq::float8 as seq from live_filter
  where filter_id = any($1) and understood_as is not null`;

/**
 * Returns at least one row if the feed is in reach. `$4` has the requested instants, each plus a millisecond,
 * so a count includes the changes at its instant.
 */
const COUNTS = `
  select (select count(*) from live_member m where m.filter_id = f.filter_id)::int as now,
    d.bucket, d.growth::int as growth
  from live_filter f left join lateral (
    select width_bucket(c.at, $4::timestamptz[]) as bucket,
      count(*) filter (where c.type = 'entered') - count(*) filter (where c.type = 'left') as growth
    from live_change c where c.filter_id = f.filter_id group by 1
  ) d on true
  where f.filter_id = $1 and f.understood_as is not null and ${IN_REACH}`;

interface CountRow {
  readonly now: number;
  /** How many instants of `$4` are not later than this row's changes; null without changes. */
  readonly bucket: number | null;
  readonly growth: number;
}

function toCounts(rows: readonly CountRow[], instants: readonly EpochMs[]): readonly MemberCount[] | null {
  const [first] = rows;
  if (first === undefined) return null;
  const growths = new Map(rows.map(({ bucket, growth }) => [bucket, growth]));
  let count = first.now;
  const counts = instants.toReversed().map((at, i) => {
    count -= growths.get(instants.length - i) ?? 0;
    return { at, count };
  });
  return counts.reverse();
}

const COUNT_AT = `
  select ((select count(*) from live_member m where m.filter_id = f.filter_id) - (
    select count(*) filter (where c.type = 'entered') - count(*) filter (where c.type = 'left')
    from live_change c where c.filter_id = f.filter_id and c.seq > $4))::int as count
  from live_filter f
  where f.filter_id = $1 and f.understood_as is not null and $4 between f.forgotten and f.seq and ${IN_REACH}`;

/** The recursive query reads only one mark of each organization, so its cost does not grow with the number of marks. */
const WAITING = `
  with recursive marked as (
    (select org_id from live_mark where org_id is not null order by org_id limit 1)
    union all
    select (select k.org_id from live_mark k where k.org_id > m.org_id order by k.org_id limit 1)
    from marked m where m.org_id is not null
  )
  select g.partner_id as id from marked m join organization g on g.id = m.org_id
  union select partner_id from live_mark where partner_id is not null
  union select g.partner_id from live_organization l join organization g on g.id = l.org_id
    where exists (select from live_timer t where t.org_id = l.org_id and t.due <= $1)
  union select p.partner_id from live_partner p
    where exists (select from live_timer t where t.partner_id = p.partner_id and t.due <= $1)
  union select coalesce(f.partner_id, g.partner_id) from live_filter f left join organization g on g.id = f.org_id
    where f.is_watched and f.is_unsettled and not exists (
      select from live_organization l join organization o on o.id = l.org_id
      where (l.org_id = f.org_id or o.partner_id = f.partner_id) and l.barrier is not null and not ${IS_SETTLED}
    )`;

/** Members, changes and timers are deleted by cascade. */
const FORGET_FEEDS = `
  delete from live_filter f
  where not f.is_watched and coalesce(f.evaluated_at < $1, true)
    and not exists (select from saved_filter s where s.id = f.filter_id)`;

const FORGET = `
  update live_filter f set forgotten = u.until
  from (
    select k.filter_id, greatest(k.seq - $2, coalesce((
      select c.seq - 1 from live_change c where c.filter_id = k.filter_id and c.at >= $1 order by c.seq limit 1
    ), k.seq)) as until
    from live_filter k
  ) u
  where f.filter_id = u.filter_id and f.forgotten < u.until`;
