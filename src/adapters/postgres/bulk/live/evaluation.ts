/**
 * One evaluation is one transaction with one snapshot. Writes are kept in memory until a read needs them or the
 * evaluation ends.
 */
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import {
  type CustomFieldRow,
  customFieldSource,
} from '#adapters/postgres/reads/filters/custom-field-source.ts';
import { withInner } from '#adapters/postgres/reads/filters/saved-filter-reader.ts';
import type {
  DeviceMark,
  FilterReads,
  MembershipEvaluation,
  MembershipTimer,
  WatchedFilter,
} from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { partsRead, readDevices, streamDevices } from './live-devices.ts';
import { ANNOUNCE_CHANGES } from './live-news.ts';
import {
  finishOrganizations,
  LiveOrganizations,
  ORGANIZATIONS,
  type OrganizationRow,
} from './live-organizations.ts';
import { ms } from './live-sql.ts';
import {
  type Staged,
  type StagedRows,
  stage,
  writeFeeds,
  writeMembers,
  writeTimers,
} from './write-evaluation.ts';

/** Runs the work and writes what it staged. The caller's transaction must be `repeatable read`. */
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
  /** Null until the filters are read. */
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

/**
 * Joins the marks of each device as `joinMarks` does. All marks of filters and fields become one row without a device.
 */
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

/** While a filter is unsettled, the partner has no revision, so the next evaluation reads the filters again. */
const FINISH_PARTNER = `
  insert into live_partner (partner_id, evaluated_at, revision)
  select id, $3, case when not exists (
    select from live_filter f where f.is_unsettled and f.is_watched and (f.org_id = any($2) or f.partner_id = $1)
  ) then $4::uuid end from partner where id = $1
  on conflict (partner_id) do update set evaluated_at = excluded.evaluated_at,
    revision = case when $4::uuid is null then live_partner.revision else excluded.revision end`;
