/**
 * One evaluation in one transaction, whose statements all see the same snapshot. Writes are kept until something reads
 * them or the evaluation ends.
 */
import type { PoolClient } from 'pg';
import {
  type CustomFieldRow,
  customFieldSource,
} from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { MEASURED_COLUMNS } from '#adapters/postgres/schema/live.ts';
import type {
  DeviceMark,
  EvaluatedFilter,
  FilterReads,
  MembershipEvaluation,
  MembershipTimer,
  OrganizationFilter,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MembershipChange, MembershipEvent } from '#domain/membership/membership-change.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { partsRead, readDevices, streamDevices } from './live-devices.ts';
import { IS_SETTLED, ms } from './live-sql.ts';

/** How many rows one statement writes. */
const ROWS_AT_ONCE = 10_000;

interface Feed {
  readonly orgId: OrgId;
  seq: number;
  filterVersion: number;
  evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'> | null;
  /** Whether `evaluated` is of this evaluation. */
  isNew: boolean;
  hasChanged: boolean;
}

type Numbered = MembershipEvent & Pick<MembershipChange, 'seq' | 'filterVersion'>;

/** Runs the work and writes what it staged. The caller's transaction must see one snapshot. */
export async function stageEvaluation<T>(
  client: PoolClient,
  partnerId: PartnerId,
  work: (evaluation: MembershipEvaluation) => Promise<T>,
): Promise<T> {
  const { rows: organizations } = await client.query<OrganizationRow>(ORGANIZATIONS, [partnerId]);
  const orgIds = organizations.map(({ orgId }) => orgId);
  const instants = organizations.flatMap(({ evaluatedAt }) => evaluatedAt ?? []);
  const lastAt = instants.length === 0 ? null : Math.max(...instants);
  const settled = new Set(organizations.filter(({ isSettled }) => isSettled).map(({ orgId }) => orgId));

  const feeds = new Map<FilterId, Feed>();
  const { rows } = await client.query<WatchedRow>(WATCHED, [orgIds]);
  const watched = rows.map(
    ({ understoodAs, isDegraded, isInterrupted, isUnsettled, ...row }): WatchedFilter => {
      const { seq, filterVersion, ...filter } = row;
      const evaluated = understoodAs === null ? null : { understoodAs, isDegraded };
      const feed = { orgId: filter.orgId, seq: Number(seq), filterVersion, evaluated };
      feeds.set(filter.id, { ...feed, isNew: false, hasChanged: false });
      const mustRepeat = isInterrupted || (isUnsettled && settled.has(filter.orgId));
      return { filter, evaluated: evaluated && { ...evaluated, isInterrupted: mustRepeat } };
    },
  );
  const changes: [FilterId, Numbered][] = [];
  const members = new Map<FilterId, Map<DeviceId, boolean>>();
  const timers = new Map<FilterId, Map<DeviceId, EpochMs | null>>();
  const readsOf = new Map<OrgId, FilterReads>();
  let at: EpochMs | null = null;

  const feedOf = (id: FilterId): Feed => {
    const feed = feeds.get(id);
    if (feed === undefined) throw new Error(`filter ${id} has no feed`);
    return feed;
  };
  const change = (id: FilterId, changed: Partial<Feed>): void => {
    Object.assign(feedOf(id), changed, { hasChanged: true });
  };
  const stage = <T>(staged: Map<FilterId, Map<DeviceId, T>>, id: FilterId, deviceId: DeviceId, value: T) => {
    const ofFilter = staged.get(id) ?? new Map<DeviceId, T>();
    staged.set(id, ofFilter.set(deviceId, value));
  };
  const instant = (): EpochMs => {
    if (at === null) throw new Error('the evaluation has no instant');
    return at;
  };
  const flush = async (): Promise<void> => {
    await writeMembers(client, members, feedOf, instant());
    members.clear();
    await writeTimers(client, timers, feedOf);
    timers.clear();
  };

  const evaluation: MembershipEvaluation = {
    lastAt,
    setInstant(instant) {
      at = instant;
    },
    watched: async () => watched,
    async takeMarks() {
      const { rows } = await client.query<DeviceMark>(TAKE_MARKS, [orgIds]);
      return rows;
    },
    async takeDueTimers(now) {
      await flush();
      const { rows } = await client.query<MembershipTimer>(TAKE_DUE_TIMERS, [orgIds, printInstant(now)]);
      return rows;
    },
    definitions: (orgId) =>
      customFieldSource(async ({ text }) => (await client.query<CustomFieldRow>(text)).rows)({
        kind: 'organization',
        orgId,
      }),
    devices: (ids) => readDevices(client, orgIds, ids, partsRead(readsOf.values())),
    devicesOf: (orgId) => streamDevices(client, orgId, partsRead(readsOf.values())),
    async membersOf(filterId) {
      await flush();
      const { rows } = await client.query<{ deviceId: DeviceId }>(MEMBERS_OF, [filterId, orgIds]);
      return new Set(rows.map(({ deviceId }) => deviceId));
    },
    async filtersWith(ids) {
      if (ids.length === 0) return new Map();
      await flush();
      const { rows } = await client.query<MembershipTimer>(FILTERS_WITH, [ids, orgIds]);
      const byDevice = new Map(ids.map((id) => [id, new Set<FilterId>()]));
      for (const { deviceId, filterId } of rows) byDevice.get(deviceId)?.add(filterId);
      return byDevice;
    },
    setTimer: (filterId, deviceId, due) => stage(timers, filterId, deviceId, due),
    begin({ id, version }: SavedFilter, ids, understoodAs) {
      for (const deviceId of ids) stage(members, id, deviceId, true);
      const evaluated = { understoodAs, isDegraded: false };
      change(id, { filterVersion: version, evaluated, isNew: true });
    },
    append({ id, version }, event) {
      if (event.type === 'entered' || event.type === 'left') {
        stage(members, id, event.deviceId, event.type === 'entered');
      }
      const seq = feedOf(id).seq + 1;
      changes.push([id, { ...event, seq, filterVersion: version }]);
      change(id, { seq, filterVersion: version });
    },
    setEvaluated: ({ id, version }, evaluated) =>
      change(id, { filterVersion: version, evaluated, isNew: true }),
    setReads: (orgId, reads) => void readsOf.set(orgId, reads),
  };
  const result = await work(evaluation);
  await flush();
  await writeChanges(client, changes, feedOf, instant());
  const stricter = await finishOrganizations(client, orgIds, readsOf, instant());
  await writeFeeds(client, feeds, lastAt, (orgId) => settled.has(orgId) && !stricter.has(orgId));
  return result;
}

interface OrganizationRow {
  readonly orgId: OrgId;
  readonly evaluatedAt: EpochMs | null;
  readonly isSettled: boolean;
}

const ORGANIZATIONS = `
  select g.id as "orgId", ${ms('l.evaluated_at')} as "evaluatedAt", ${IS_SETTLED} as "isSettled"
  from organization g left join live_organization l on l.org_id = g.id where g.partner_id = $1`;

interface WatchedRow extends OrganizationFilter {
  readonly understoodAs: string | null;
  readonly isDegraded: boolean;
  readonly isInterrupted: boolean;
  readonly isUnsettled: boolean;
  readonly seq: string;
  readonly filterVersion: number;
}

const WATCHED = `
  select s.id, s.org_id as "orgId", s.partner_id as "partnerId", s.name, s.description, s.conditions as "conditionsJson",
    s.created_by as "createdBy", s.changed_by as "changedBy", ${ms('s.created_at')} as "createdAt", ${ms('s.updated_at')} as "updatedAt", s.version,
    f.understood_as as "understoodAs", f.is_degraded as "isDegraded", f.is_interrupted as "isInterrupted",
    f.is_unsettled as "isUnsettled", f.seq, f.filter_version as "filterVersion"
  from live_filter f join saved_filter s on s.id = f.filter_id
  where f.is_watched and f.org_id = any($1) and s.org_id = f.org_id`;

/** Joins the marks of a device as `joinMarks` does. */
const TAKE_MARKS = `
  with taken as (delete from live_mark where org_id = any($1) returning id, org_id, device_id, kind),
  joined as (
    select org_id, device_id, (array_agg(kind order by id desc))[1] as last,
      (array_agg(kind order by id desc) filter (where kind <> 'changed'))[1] as weighty
    from taken where device_id is not null group by org_id, device_id
  )
  select org_id as "orgId", device_id as "deviceId",
    case when last = 'changed' and weighty = 'moved' then weighty else last end::text as kind
  from joined`;

const TAKE_DUE_TIMERS = `
  delete from live_timer t using live_filter f
  where f.filter_id = t.filter_id and f.is_watched and t.org_id = any($1) and t.due <= $2
  returning t.filter_id as "filterId", t.device_id as "deviceId"`;

const MEMBERS_OF =
  'select device_id as "deviceId" from live_member where filter_id = $1 and org_id = any($2)';

const FILTERS_WITH = `
  select filter_id as "filterId", device_id as "deviceId" from live_member
  where device_id = any($1) and org_id = any($2)`;

type Staged<T> = ReadonlyMap<FilterId, ReadonlyMap<DeviceId, T>>;

type FeedOf = (id: FilterId) => Feed;

/** Filter, organization, device and value. */
function* rowsOf<T>(staged: Staged<T>, feedOf: FeedOf): Generator<readonly [FilterId, OrgId, DeviceId, T]> {
  for (const [filterId, devices] of staged) {
    const { orgId } = feedOf(filterId);
    for (const [deviceId, value] of devices) yield [filterId, orgId, deviceId, value];
  }
}

/** Runs the statement for so many rows at a time; its parameters are their columns. */
async function writeRows(
  client: PoolClient,
  text: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const batch = rows.slice(from, from + ROWS_AT_ONCE);
    const columns = batch[0]?.map((_, i) => batch.map((row) => row[i])) ?? [];
    await client.query(text, columns);
  }
}

async function writeMembers(
  client: PoolClient,
  members: Staged<boolean>,
  feedOf: FeedOf,
  at: EpochMs,
): Promise<void> {
  const rows = [...rowsOf(members, feedOf)];
  const since = printInstant(at);
  await writeRows(
    client,
    `delete from live_member m using unnest($1::uuid[], $2::uuid[]) r(filter_id, device_id)
     where m.filter_id = r.filter_id and m.device_id = r.device_id`,
    rows.flatMap(([filterId, , deviceId, isMember]) => (isMember ? [] : [[filterId, deviceId]])),
  );
  await writeRows(
    client,
    `insert into live_member (filter_id, org_id, device_id, since)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) on conflict do nothing`,
    rows.flatMap(([filterId, orgId, deviceId, isMember]) =>
      isMember ? [[filterId, orgId, deviceId, since]] : [],
    ),
  );
}

async function writeTimers(
  client: PoolClient,
  timers: Staged<EpochMs | null>,
  feedOf: FeedOf,
): Promise<void> {
  const rows = [...rowsOf(timers, feedOf)];
  await writeRows(
    client,
    `delete from live_timer t using unnest($1::uuid[], $2::uuid[]) r(filter_id, device_id)
     where t.filter_id = r.filter_id and t.device_id = r.device_id`,
    rows.flatMap(([filterId, , deviceId, due]) => (due === null ? [[filterId, deviceId]] : [])),
  );
  await writeRows(
    client,
    // A later instant leaves the row alone. The timer is set anew when it is due.
    `insert into live_timer (filter_id, org_id, device_id, due)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
     on conflict (filter_id, device_id) do update set due = excluded.due where live_timer.due > excluded.due`,
    rows.flatMap(([filterId, orgId, deviceId, due]) =>
      due === null ? [] : [[filterId, orgId, deviceId, printInstant(due)]],
    ),
  );
}

async function writeChanges(
  client: PoolClient,
  changes: readonly (readonly [FilterId, Numbered])[],
  feedOf: FeedOf,
  at: EpochMs,
): Promise<void> {
  const instant = printInstant(at);
  await writeRows(
    client,
    `insert into live_change (filter_id, org_id, seq, at, type, filter_version, device_id, hostname, cause)
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::timestamptz[], $5::membership_change_type[],
       $6::int[], $7::uuid[], $8::text[], $9::membership_cause[])`,
    changes.map(([filterId, event]) => {
      const { seq, type, filterVersion } = event;
      const device = 'deviceId' in event ? [event.deviceId, event.hostname, event.cause] : [null, null, null];
      return [filterId, feedOf(filterId).orgId, seq, instant, type, filterVersion, ...device];
    }),
  );
}

/** Returns the organizations whose devices are now marked in more cases than before. */
async function finishOrganizations(
  client: PoolClient,
  orgIds: readonly OrgId[],
  readsOf: ReadonlyMap<OrgId, FilterReads>,
  at: EpochMs,
): Promise<ReadonlySet<OrgId>> {
  const { rows } = await client.query<{ orgId: OrgId; isStricter: boolean }>(FINISH_ORGANIZATIONS, [
    orgIds,
    orgIds.map((orgId) => toSeconds(readsOf.get(orgId)?.silence ?? null)),
    orgIds.map((orgId) => toMeasured(readsOf.get(orgId)?.fields ?? new Set()).join()),
    printInstant(at),
  ]);
  return new Set(rows.filter(({ isStricter }) => isStricter).map(({ orgId }) => orgId));
}

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

async function writeFeeds(
  client: PoolClient,
  feeds: ReadonlyMap<FilterId, Feed>,
  lastAt: EpochMs | null,
  isSettled: (orgId: OrgId) => boolean,
): Promise<void> {
  const former = lastAt === null ? null : printInstant(lastAt);
  await writeRows(
    client,
    WRITE_FEEDS,
    [...feeds].flatMap(([id, { orgId, seq, filterVersion, evaluated, isNew, hasChanged }]) => {
      if (!hasChanged) return [];
      const { understoodAs = null, isDegraded = false } = evaluated ?? {};
      return [[id, seq, filterVersion, understoodAs, isDegraded, isNew, !isSettled(orgId), former]];
    }),
  );
}

/** A filter that is degraded keeps the instant of its last evaluation. */
const WRITE_FEEDS = `
  update live_filter f set seq = r.seq, filter_version = r.filter_version, understood_as = r.understood_as,
    is_degraded = r.is_degraded, is_interrupted = f.is_interrupted and not r.is_new,
    is_unsettled = case when r.is_new then r.is_unsettled else f.is_unsettled end,
    evaluated_at = case when r.is_degraded then coalesce(f.evaluated_at, r.former) end
  from unnest($1::uuid[], $2::bigint[], $3::int[], $4::text[], $5::boolean[], $6::boolean[], $7::boolean[],
    $8::timestamptz[])
    r(filter_id, seq, filter_version, understood_as, is_degraded, is_new, is_unsettled, former)
  where f.filter_id = r.filter_id`;
