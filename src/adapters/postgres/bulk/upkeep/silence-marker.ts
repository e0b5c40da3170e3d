/** Marks silent devices offline, one statement per batch. */
import type { Pool } from 'pg';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import type { SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { DEVICE_STATUSES, isLasting } from '#domain/device/device.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';

export function makeSilenceMarker(pool: Pool): SilenceMarker {
  return (seenBefore, limit) =>
    withScope(pool, SYSTEM_SCOPE, async (client) => {
      const { rowCount } = await client.query(MARK, [
        DEVICE_STATUSES.filter((status) => status !== 'offline' && !isLasting(status)),
        printInstantOrNull(seenBefore),
        limit,
      ]);
      return rowCount ?? 0;
    });
}

/** The lock checks each row again, so a device that has just reported is left alone. */
const MARK = `
  update device set status = 'offline'
  where id = any(array(
    select id from device
    where reports_since is not null and status = any($1::device_status[])
      and coalesce(last_seen_at, reports_since) < $2
      and org_id <> all (array(select owner_id from maintenance))
    order by id limit $3
    for update skip locked
  ))`;
