import type { Pool } from 'pg';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import type { HearingNotes, SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { DEVICE_STATUSES, isLasting } from '#domain/device/device.ts';
import { type Audible, hearAt } from '#domain/inventory/presence.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';

/** `pool` connects as the app role. */
export function makeSilenceMarker(pool: Pool): SilenceMarker {
  return ({ contacts, reports }, limit) =>
    withScope(pool, SYSTEM_SCOPE, async (client) => {
      const statuses = DEVICE_STATUSES.filter((status) => status !== 'offline' && !isLasting(status));
      const spans = [contacts, reports].flatMap(toSpan);
      const { rowCount } = await client.query(MARK, [statuses, ...spans, limit]);
      return rowCount ?? 0;
    });
}

/** If `audible` is null, both ends are NULL, so no device counts as silent. */
function toSpan(audible: Audible | null): readonly (string | null)[] {
  return [printInstantOrNull(audible?.from ?? null), printInstantOrNull(audible?.to ?? null)];
}

/**
 * The first condition on `last_seen_at` rules out most rows cheaply. Locking checks each row again, so a
 * device that has just made contact stays online.
 */
const MARK = `
  update device set status = 'offline'
  where id = any(array(
    select d.id from device_state s join device d on d.id = s.id
    where s.status = any($1::device_status[])
      and (s.last_seen_at is null
        or s.last_seen_at not between greatest($2::timestamptz, $4::timestamptz) and least($3::timestamptz, $5::timestamptz))
      and case
        when d.makes_contact then coalesce(s.last_seen_at, d.reports_since, '-infinity') not between $2 and $3
        else d.reports_since is not null and coalesce(s.last_seen_at, d.reports_since) not between $4 and $5
      end
      and s.org_id <> all (array(select owner_id from maintenance))
    order by s.id limit $6
    for update of d, s skip locked
  ))`;

interface HearingRow {
  readonly heard_at: Date;
  readonly contacts_since: Date;
  readonly reports_since: Date;
}

export function makeHearingNotes(pool: Pool): HearingNotes {
  return (now, everyMs) =>
    withScope(pool, SYSTEM_SCOPE, async (client) => {
      const { rows } = await client.query<HearingRow>(
        'select heard_at, contacts_since, reports_since from hearing for update',
      );
      const [row] = rows;
      const before = row && {
        heardAt: row.heard_at.getTime(),
        since: { contacts: row.contacts_since.getTime(), reports: row.reports_since.getTime() },
      };
      const hearing = hearAt(now, before ?? null, everyMs);
      const { heardAt, since } = hearing;
      await client.query(NOTE, [heardAt, since.contacts, since.reports].map(printInstantOrNull));
      return hearing;
    });
}

const NOTE = `
  insert into hearing (heard_at, contacts_since, reports_since) values ($1, $2, $3)
  on conflict (id) do update set heard_at = excluded.heard_at, contacts_since = excluded.contacts_since,
    reports_since = excluded.reports_since`;
