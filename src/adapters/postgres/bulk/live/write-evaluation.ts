import type { PoolClient } from 'pg';
import type { EvaluatedFilter } from '#application/ports/live/memberships.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import type { MembershipEvent } from '#domain/membership/membership-change.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

const ROWS_AT_ONCE = 10_000;

export interface Staged {
  readonly filter: SavedFilter;
  readonly events: MembershipEvent[];
  evaluated: Pick<EvaluatedFilter, 'understoodAs' | 'isDegraded'> | null;
}

export type StagedRows<T> = Map<
  FilterId,
  { readonly filter: SavedFilter; readonly values: Map<DeviceId, T> }
>;

export function stage<T>(rows: StagedRows<T>, filter: SavedFilter, deviceId: DeviceId, value: T): void {
  const ofFilter = rows.get(filter.id) ?? { filter, values: new Map<DeviceId, T>() };
  rows.set(filter.id, ofFilter);
  ofFilter.values.set(deviceId, value);
}

function* rowsOf<T>(
  staged: StagedRows<T>,
): Generator<readonly [FilterId, OrgId | null, PartnerId | null, DeviceId, T]> {
  for (const { filter, values } of staged.values()) {
    for (const [deviceId, value] of values)
      yield [filter.id, filter.orgId, filter.partnerId, deviceId, value];
  }
}

/** Runs `text` for batches of rows. Each parameter is an array with one column of the batch. */
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

export async function writeMembers(
  client: PoolClient,
  members: StagedRows<boolean>,
  at: EpochMs,
): Promise<void> {
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

export async function writeTimers(client: PoolClient, timers: StagedRows<EpochMs | null>): Promise<void> {
  const rows = [...rowsOf(timers)];
  await writeRows(
    client,
    `delete from live_timer t using unnest($1::uuid[], $2::uuid[]) r(filter_id, device_id)
     where t.filter_id = r.filter_id and t.device_id = r.device_id`,
    rows.flatMap(([filterId, , , deviceId, due]) => (due === null ? [[filterId, deviceId]] : [])),
  );
  await writeRows(
    client,
    // If the stored instant is earlier, nothing is written: the evaluation at that instant sets the timer again.
    `insert into live_timer (filter_id, org_id, partner_id, device_id, due)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[])
     on conflict (filter_id, device_id) do update set due = excluded.due where live_timer.due > excluded.due`,
    rows.flatMap(([filterId, orgId, partnerId, deviceId, due]) =>
      due === null ? [] : [[filterId, orgId, partnerId, deviceId, printInstant(due)]],
    ),
  );
}

interface Evaluating {
  readonly lastAt: EpochMs | null;
  readonly at: EpochMs;
  readonly isSettled: (filter: SavedFilter) => boolean;
}

/** Appends the events to their feeds, numbered after each feed's last event. */
export async function writeFeeds(
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

/**
 * Only a degraded filter has `evaluated_at`: the instant of its last evaluation. All other filters share the
 * instant in `live_partner`.
 */
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
