/**
 * One evaluation in one transaction, whose statements all see the same snapshot. Writes are kept until something reads
 * them or the evaluation ends.
 */
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import {
  type CustomFieldRow,
  customFieldSource,
} from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { withInner } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import { MEASURED_COLUMNS } from '#adapters/postgres/schema/live.ts';
import type {
  DeviceMark,
  EvaluatedFilter,
  FilterReads,
  MembershipEvaluation,
  MembershipTimer,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MembershipEvent } from '#domain/membership/membership-change.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { partsRead, readDevices, streamDevices } from './live-devices.ts';
import { ANNOUNCE_CHANGES } from './live-news.ts';
import { IS_SETTLED, ms } from './live-sql.ts';

/** How many rows one statement writes. */
const ROWS_AT_ONCE = 10_000;

/** What an evaluation has decided about a feed. */
interface Staged {
  readonly filter: SavedFilter;
  readonly events: MembershipEvent[];
  evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'> | null;
}

/** Runs the work and writes what it staged. The caller's transaction must see one snapshot. */
export async function stageEvaluation<T>(
  client: PoolClient,
  partnerId: PartnerId,
  work: (evaluation: MembershipEvaluation) => Promise<T>,
): Promise<T> {
  const { rows: organizations } = await client.query<OrganizationRow>(ORGANIZATIONS, [partnerId]);
  const orgIds = organizations.map(({ orgId }) => orgId);
  const [partner] = (await client.query<PartnerRow>(PARTNER, [partnerId])).rows;
  const lastAt = partner?.evaluatedAt ?? null;
  const owners = [orgIds, partnerId];
  const nextRevision = randomUUID();
  /** Null while the filters have not been read. */
  let live: LiveOrganizations | null = null;
  let isMarked = true;
  const feeds = new Map<FilterId, Staged>();
  const members: StagedRows<boolean> = new Map();
  const timers: StagedRows<EpochMs | null> = new Map();
  const readsOf = new Map<OrgId, FilterReads>();
  const touched = new Set<OrgId>();
  let at: EpochMs | null = null;

  const feedOf = (filter: SavedFilter): Staged => {
    const feed = feeds.get(filter.id) ?? { filter, events: [], evaluated: null };
    feeds.set(filter.id, feed);
    return feed;
  };
  const instant = (): EpochMs => {
    if (at === null) throw new Error('the evaluation has no instant');
    return at;
  };
  const flush = async (): Promise<void> => {
    await writeMembers(client, members, instant());
    members.clear();
    await writeTimers(client, timers);
    timers.clear();
  };

  const evaluation: MembershipEvaluation = {
    lastAt,
    setInstant(instant) {
      at = instant;
    },
    orgIds,
    nextRevision,
    async takeMarks() {
      const { rows } = await client.query<DeviceMark | { readonly deviceId: null }>(TAKE_MARKS, owners);
      const marks = rows.filter((row): row is DeviceMark => row.deviceId !== null);
      for (const { orgId } of marks) touched.add(orgId);
      isMarked = marks.length < rows.length;
      return marks;
    },
    revision: () => (isMarked ? null : (partner?.revision ?? null)),
    async watched() {
      const { rows } = await client.query<WatchedRow>(WATCHED, owners);
      live = new LiveOrganizations(organizations, rows);
      const { isSettled, isIncomplete } = live;
      return rows.map(
        ({ understoodAs, isDegraded, isInterrupted, isUnsettled, ...filter }): WatchedFilter => {
          const mustRepeat = isInterrupted || isIncomplete(filter) || (isUnsettled && isSettled(filter));
          const evaluated = understoodAs === null ? null : { understoodAs, isDegraded };
          return { filter, evaluated: evaluated && { ...evaluated, isInterrupted: mustRepeat } };
        },
      );
    },
    async takeDueTimers(now) {
      await flush();
      const { rows } = await client.query<MembershipTimer>(TAKE_DUE_TIMERS, [...owners, printInstant(now)]);
      return rows;
    },
    definitions: (owner) =>
      customFieldSource(
        async ({ text, values }) => (await client.query<CustomFieldRow>(text, [...values])).rows,
      )(owner.kind === 'organization' ? owner : { ...owner, orgIds, isWhole: true }),
    withInner: (scope, ids) =>
      withInner(async ({ text, values }) => (await client.query(text, [...values])).rows, scope, ids),
    async devices(ids) {
      const found = await readDevices(client, orgIds, ids, partsRead(readsOf.values()));
      for (const { orgId } of found.values()) touched.add(orgId);
      return found;
    },
    devicesOf: (orgId) => streamDevices(client, orgId, partsRead(readsOf.values())),
    async membersOf(filterId) {
      await flush();
      const { rows } = await client.query<{ deviceId: DeviceId }>(MEMBERS_OF, [filterId, ...owners]);
      return new Set(rows.map(({ deviceId }) => deviceId));
    },
    async filtersWith(ids) {
      if (ids.length === 0) return new Map();
      await flush();
      const { rows } = await client.query<MembershipTimer>(FILTERS_WITH, [ids, ...owners]);
      const byDevice = new Map(ids.map((id) => [id, new Set<FilterId>()]));
      for (const { deviceId, filterId } of rows) byDevice.get(deviceId)?.add(filterId);
      return byDevice;
    },
    setTimer: (filter, deviceId, due) => stage(timers, filter, deviceId, due),
    begin(filter, ids, understoodAs) {
      for (const deviceId of ids) stage(members, filter, deviceId, true);
      feedOf(filter).evaluated = { understoodAs, isDegraded: false };
    },
    append(filter, event) {
      if ('deviceId' in event) stage(members, filter, event.deviceId, event.type === 'entered');
      feedOf(filter).events.push(event);
    },
    setEvaluated(filter, evaluated) {
      feedOf(filter).evaluated = evaluated;
    },
    setReads: (orgId, reads) => void readsOf.set(orgId, reads),
  };
  const result = await work(evaluation);
  await flush();
  const stricter = await finishOrganizations(client, live, { readsOf, touched, at: instant() });
  await writeFeeds(client, feeds, {
    lastAt,
    at: instant(),
    isSettled: (filter) => live?.isSettled(filter, stricter) ?? false,
  });
  if (feeds.size > 0) await client.query(ANNOUNCE_CHANGES);
  await client.query(FINISH_PARTNER, [
    partnerId,
    orgIds,
    printInstant(instant()),
    live === null ? null : nextRevision,
  ]);
  return result;
}

interface OrganizationRow {
  readonly orgId: OrgId;
  /** Whether its devices are marked. */
  readonly isLive: boolean;
  readonly isSettled: boolean;
}

const ORGANIZATIONS = `
  select g.id as "orgId", l.org_id is not null as "isLive", ${IS_SETTLED} as "isSettled"
  from organization g left join live_organization l on l.org_id = g.id where g.partner_id = $1`;

interface PartnerRow {
  readonly evaluatedAt: EpochMs;
  readonly revision: string | null;
}

const PARTNER = `
  select ${ms('evaluated_at')} as "evaluatedAt", revision from live_partner where partner_id = $1`;

interface WatchedRow extends SavedFilter {
  readonly understoodAs: string | null;
  readonly isDegraded: boolean;
  readonly isInterrupted: boolean;
  readonly isUnsettled: boolean;
}

const WATCHED = `
  select s.id, s.org_id as "orgId", s.partner_id as "partnerId", s.name, s.description, s.conditions as "conditionsJson",
    s.created_by as "createdBy", s.changed_by as "changedBy", ${ms('s.created_at')} as "createdAt", ${ms('s.updated_at')} as "updatedAt", s.version,
    f.understood_as as "understoodAs", f.is_degraded as "isDegraded", f.is_interrupted as "isInterrupted",
    f.is_unsettled as "isUnsettled"
  from live_filter f join saved_filter s on s.id = f.filter_id
  where f.is_watched and (f.org_id = any($1) or f.partner_id = $2)`;

/** The organizations in which watched filters need marks. */
class LiveOrganizations {
  readonly orgIds: readonly OrgId[];
  /** Those of `orgIds` in which nothing was marked so far. */
  readonly missing: readonly OrgId[];
  /** Those in which devices are marked for nothing. */
  readonly unneeded: readonly OrgId[];
  readonly #settled: ReadonlySet<OrgId>;

  constructor(organizations: readonly OrganizationRow[], watched: readonly WatchedRow[]) {
    const ofOrganizations = new Set(watched.map(({ orgId }) => orgId));
    const needed = organizations.filter(
      ({ orgId }) => ofOrganizations.has(null) || ofOrganizations.has(orgId),
    );
    this.orgIds = needed.map(({ orgId }) => orgId);
    this.missing = needed.flatMap(({ orgId, isLive }) => (isLive ? [] : [orgId]));
    this.unneeded = organizations.flatMap(({ orgId, isLive }) =>
      isLive && !this.orgIds.includes(orgId) ? [orgId] : [],
    );
    this.#settled = new Set(needed.flatMap(({ orgId, isSettled }) => (isSettled ? [orgId] : [])));
  }

  readonly isIncomplete = ({ orgId }: SavedFilter): boolean => orgId === null && this.missing.length > 0;

  /** Whether all devices of the filter have been marked by the present rules. */
  readonly isSettled = ({ orgId }: SavedFilter, stricter: ReadonlySet<OrgId> = NONE): boolean =>
    (orgId === null ? this.orgIds : [orgId]).every((id) => this.#settled.has(id) && !stricter.has(id));
}

const NONE: ReadonlySet<never> = new Set();

/** Joins the marks of a device as `joinMarks` does. One row without a device stands for all marks of filters and fields. */
const TAKE_MARKS = `
  with taken as (
    delete from live_mark where org_id = any($1) or partner_id = $2 returning id, org_id, device_id, kind
  ), joined as (
    select org_id, device_id, (array_agg(kind order by id desc))[1] as last,
      (array_agg(kind order by id desc) filter (where kind <> 'changed'))[1] as weighty
    from taken group by org_id, device_id
  )
  select org_id as "orgId", device_id as "deviceId",
    case when last = 'changed' and weighty = 'moved' then weighty else last end::text as kind
  from joined`;

const TAKE_DUE_TIMERS = `
  delete from live_timer t using live_filter f
  where f.filter_id = t.filter_id and f.is_watched and (t.org_id = any($1) or t.partner_id = $2) and t.due <= $3
  returning t.filter_id as "filterId", t.device_id as "deviceId"`;

const MEMBERS_OF =
  'select device_id as "deviceId" from live_member where filter_id = $1 and (org_id = any($2) or partner_id = $3)';

const FILTERS_WITH = `
  select filter_id as "filterId", device_id as "deviceId" from live_member
  where device_id = any($1) and (org_id = any($2) or partner_id = $3)`;

type StagedRows<T> = Map<FilterId, { readonly filter: SavedFilter; readonly values: Map<DeviceId, T> }>;

function stage<T>(rows: StagedRows<T>, filter: SavedFilter, deviceId: DeviceId, value: T): void {
  const ofFilter = rows.get(filter.id) ?? { filter, values: new Map<DeviceId, T>() };
  rows.set(filter.id, ofFilter);
  ofFilter.values.set(deviceId, value);
}

/** Filter, its organization or partner, device and value. */
function* rowsOf<T>(
  staged: StagedRows<T>,
): Generator<readonly [FilterId, OrgId | null, PartnerId | null, DeviceId, T]> {
  for (const { filter, values } of staged.values()) {
    for (const [deviceId, value] of values)
      yield [filter.id, filter.orgId, filter.partnerId, deviceId, value];
  }
}

/** Runs the statement for so many rows at a time; its parameters are their columns. */
async function writeRows(
  client: PoolClient,
  text: string,
  rows: readonly (readonly unknown[])[],
  take: (returned: readonly unknown[]) => void = () => undefined,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const batch = rows.slice(from, from + ROWS_AT_ONCE);
    const columns = batch[0]?.map((_, i) => batch.map((row) => row[i])) ?? [];
    take((await client.query(text, columns)).rows);
  }
}

async function writeMembers(client: PoolClient, members: StagedRows<boolean>, at: EpochMs): Promise<void> {
  const rows = [...rowsOf(members)];
  const since = printInstant(at);
  await writeRows(
    client,
    `delete from live_member m using unnest($1::uuid[], $2::uuid[]) r(filter_id, device_id)
     where m.filter_id = r.filter_id and m.device_id = r.device_id`,
    rows.flatMap(([filterId, , , deviceId, isMember]) => (isMember ? [] : [[filterId, deviceId]])),
  );
  await writeRows(
    client,
    `insert into live_member (filter_id, org_id, partner_id, device_id, since)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[]) on conflict do nothing`,
    rows.flatMap(([filterId, orgId, partnerId, deviceId, isMember]) =>
      isMember ? [[filterId, orgId, partnerId, deviceId, since]] : [],
    ),
  );
}

async function writeTimers(client: PoolClient, timers: StagedRows<EpochMs | null>): Promise<void> {
  const rows = [...rowsOf(timers)];
  await writeRows(
    client,
    `delete from live_timer t using unnest($1::uuid[], $2::uuid[]) r(filter_id, device_id)
     where t.filter_id = r.filter_id and t.device_id = r.device_id`,
    rows.flatMap(([filterId, , , deviceId, due]) => (due === null ? [[filterId, deviceId]] : [])),
  );
  await writeRows(
    client,
    // A later instant leaves the row alone. The timer is set anew when it is due.
    `insert into live_timer (filter_id, org_id, partner_id, device_id, due)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
     on conflict (filter_id, device_id) do update set due = excluded.due where live_timer.due > excluded.due`,
    rows.flatMap(([filterId, orgId, partnerId, deviceId, due]) =>
      due === null ? [] : [[filterId, orgId, partnerId, deviceId, printInstant(due)]],
    ),
  );
}

interface Finish {
  readonly readsOf: ReadonlyMap<OrgId, FilterReads>;
  /** Whose devices this evaluation looked at. */
  readonly touched: ReadonlySet<OrgId>;
  readonly at: EpochMs;
}

/**
 * Returns the organizations whose devices are now marked in more cases than before. Where no device was looked at, time
 * has changed no answer, so an earlier instant serves as well.
 */
async function finishOrganizations(
  client: PoolClient,
  live: LiveOrganizations | null,
  { readsOf, touched, at }: Finish,
): Promise<ReadonlySet<OrgId>> {
  if (live === null) {
    if (touched.size > 0) await client.query(TOUCH_ORGANIZATIONS, [[...touched], printInstant(at)]);
    return NONE;
  }
  const { orgIds, missing, unneeded } = live;
  if (missing.length > 0) await client.query(ADD_ORGANIZATIONS, [missing]);
  if (unneeded.length > 0) await client.query(REMOVE_ORGANIZATIONS, [unneeded]);
  const { rows } = await client.query<{ orgId: OrgId; isStricter: boolean }>(FINISH_ORGANIZATIONS, [
    orgIds,
    orgIds.map((orgId) => toSeconds(readsOf.get(orgId)?.silence ?? null)),
    orgIds.map((orgId) => toMeasured(readsOf.get(orgId)?.fields ?? new Set()).join()),
    printInstant(at),
  ]);
  return new Set(rows.filter(({ isStricter }) => isStricter).map(({ orgId }) => orgId));
}

const TOUCH_ORGANIZATIONS = `
  update live_organization set evaluated_at = $2 where org_id = any($1) and silence is not null`;

const ADD_ORGANIZATIONS = `
  insert into live_organization (org_id) select unnest($1::uuid[]) on conflict do nothing`;

/** A filter that is watched meanwhile has touched the row, and this evaluation fails. */
const REMOVE_ORGANIZATIONS = 'delete from live_organization where org_id = any($1)';

/** A filter whose evaluation is to be repeated takes the revision away. Without a new one, the former stays. */
const FINISH_PARTNER = `
  insert into live_partner (partner_id, evaluated_at, revision)
  select id, $3, case when not exists (
    select from live_filter f where f.is_unsettled and f.is_watched and (f.org_id = any($2) or f.partner_id = $1)
  ) then $4::uuid end from partner where id = $1
  on conflict (partner_id) do update set evaluated_at = excluded.evaluated_at,
    revision = case when $4::uuid is null then live_partner.revision else excluded.revision end`;

/** Stands for any time. PostgreSQL can still subtract it from an instant. */
const LONGEST_SILENCE_S = 1_000 * 365 * 86_400;

function toSeconds(silence: number | null): number | null {
  return silence === null ? null : Math.min(Math.floor(silence) / 1_000, LONGEST_SILENCE_S);
}

function toMeasured(fields: ReadonlySet<string>): readonly string[] {
  return MEASURED_COLUMNS.filter((column) => MEASURED_BY[column].some((key) => fields.has(key)));
}

/** Keys of the fields that read a column. */
const MEASURED_BY: Readonly<Record<(typeof MEASURED_COLUMNS)[number], readonly string[]>> = {
  cpu_percent: ['metrics.cpuPercent', 'metrics.reported'],
  ram_percent: ['metrics.ramPercent', 'metrics.reported'],
  disk_percent: ['metrics.diskPercent', 'metrics.reported'],
  uptime_seconds: ['uptimeSeconds'],
};

/**
 * A new organization, or one with stricter rules, has no barrier. The next evaluation sees these rules in force, and every
 * transaction that did not is older than its snapshot.
 */
const FINISH_ORGANIZATIONS = `
  update live_organization l set evaluated_at = $4, silence = n.silence, measured = n.measured,
    barrier = case when not n.is_stricter then coalesce(l.barrier, pg_snapshot_xmax(pg_current_snapshot())) end
  from (
    select r.*, r.silence is not null and (o.silence is null or r.silence < o.silence)
      or not r.measured <@ o.measured as is_stricter
    from (
      select u.org_id, make_interval(secs => u.seconds) as silence, string_to_array(u.measured, ',') as measured
      from unnest($1::uuid[], $2::float8[], $3::text[]) u(org_id, seconds, measured)
    ) r join live_organization o using (org_id)
  ) n
  where l.org_id = n.org_id
  returning l.org_id as "orgId", n.is_stricter as "isStricter"`;

interface Evaluating {
  readonly lastAt: EpochMs | null;
  readonly at: EpochMs;
  readonly isSettled: (filter: SavedFilter) => boolean;
}

/** Numbers the events by what the feeds have so far. */
async function writeFeeds(
  client: PoolClient,
  feeds: ReadonlyMap<FilterId, Staged>,
  { lastAt, at, isSettled }: Evaluating,
): Promise<void> {
  const former = lastAt === null ? null : printInstant(lastAt);
  const last = new Map<FilterId, number>();
  await writeRows(
    client,
    WRITE_FEEDS,
    [...feeds.values()].map(({ filter, events, evaluated }) => {
      const { understoodAs = null, isDegraded = null } = evaluated ?? {};
      return [filter.id, events.length, filter.version, understoodAs, isDegraded, !isSettled(filter), former];
    }),
    (rows) => {
      for (const { id, seq } of rows as readonly { id: FilterId; seq: number }[]) last.set(id, seq);
    },
  );
  const instant = printInstant(at);
  await writeRows(
    client,
    `insert into live_change
       (filter_id, org_id, partner_id, seq, at, type, filter_version, device_id, hostname, cause)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::timestamptz[],
       $6::membership_change_type[], $7::int[], $8::uuid[], $9::text[], $10::membership_cause[])`,
    [...feeds.values()].flatMap(({ filter: { id, orgId, partnerId, version }, events }) => {
      const first = (last.get(id) ?? 0) - events.length + 1;
      return events.map((event, i) => {
        const device =
          'deviceId' in event ? [event.deviceId, event.hostname, event.cause] : [null, null, null];
        return [id, orgId, partnerId, first + i, instant, event.type, version, ...device];
      });
    }),
  );
}

/** A filter that is degraded keeps the instant of its last evaluation. */
const WRITE_FEEDS = `
  update live_filter f set seq = f.seq + r.added, filter_version = r.filter_version,
    understood_as = coalesce(r.understood_as, f.understood_as),
    is_degraded = coalesce(r.is_degraded, f.is_degraded),
    is_interrupted = f.is_interrupted and r.is_degraded is null,
    is_unsettled = case when r.is_degraded is null then f.is_unsettled else r.is_unsettled end,
    evaluated_at = case when coalesce(r.is_degraded, f.is_degraded) then coalesce(f.evaluated_at, r.former) end
  from unnest($1::uuid[], $2::bigint[], $3::int[], $4::text[], $5::boolean[], $6::boolean[], $7::timestamptz[])
    r(filter_id, added, filter_version, understood_as, is_degraded, is_unsettled, former)
  where f.filter_id = r.filter_id
  returning f.filter_id as id, f.seq::float8 as seq`;
