import type { EntityManager } from '@mikro-orm/postgresql';
import { arrayText } from '#adapters/postgres/derived-columns.ts';
import { lockSoon, type Orm } from '#adapters/postgres/transactional/orm.ts';
import type { BulkChangeRemover, BulkChangeWriter } from '#application/ports/fleet/bulk-change-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ChangedDevice } from '#domain/device/bulk-change.ts';
import { jsonText } from '#domain/text/json-text.ts';

/** Row-level security limits every statement to the transaction's scope. */
export function bulkChangeWriter(em: EntityManager): BulkChangeWriter {
  return {
    remember: async ({ id, by, expiresAt, orgIds, devices }) => {
      await em.flush();
      const counts = Map.groupBy(devices, ({ orgId }) => orgId);
      const headers = orgIds.map((orgId) => ({ org_id: orgId, devices: counts.get(orgId)?.length ?? 0 }));
      await em.execute(ADD, [id, by.type, by.id, new Date(expiresAt).toISOString(), JSON.stringify(headers)]);
      const rows = devices.map(({ deviceId, orgId, before, after }) => ({
        ...{ device_id: deviceId, org_id: orgId, before: jsonText(before), after: jsonText(after) },
      }));
      if (rows.length > 0) await em.execute(ADD_DEVICES, [id, JSON.stringify(rows)]);
    },
    findForUpdate: async (id, by, now) => {
      const found = await lockSoon(em, () =>
        em.execute<{ devices: number }[]>(HOLD, [id, by.type, by.id, new Date(now).toISOString()]),
      );
      if (found.length === 0) return null;
      const devices = await em.execute<ChangedDevice[]>(READ_DEVICES, [id]);
      return { devices, remaining: found.reduce((sum, row) => sum + row.devices, 0) };
    },
    forget: async (id, devices) => {
      if (devices.length === 0) return;
      await em.execute(FORGET, [id, arrayText(devices.map(({ deviceId }) => deviceId)), id]);
    },
  };
}

export function makeBulkChangeRemover(orm: Orm): BulkChangeRemover {
  return (now, limit) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const [{ count = 0 } = {}] = await em.execute<{ count: number }[]>(REMOVE, [
        new Date(now).toISOString(),
        limit,
      ]);
      return count;
    });
}

const ADD = `
  insert into bulk_change (id, org_id, actor_type, actor_id, expires_at, devices)
  select ?::uuid, r.org_id, ?::text, ?::uuid, ?::timestamptz, r.devices
  from jsonb_to_recordset(?::jsonb) r(org_id uuid, devices integer)`;

const ADD_DEVICES = `
  insert into bulk_changed_device (bulk_change_id, device_id, org_id, before, after)
  select ?::uuid, r.device_id, r.org_id, r.before::jsonb, r.after::jsonb
  from jsonb_to_recordset(?::jsonb) r(device_id uuid, org_id uuid, before text, after text)`;

const HOLD = `
  select devices from bulk_change
  where id = ? and actor_type = ? and actor_id is not distinct from ?::uuid and expires_at > ?
  order by org_id for update`;

const READ_DEVICES = `
  select device_id as "deviceId", org_id as "orgId", before, after from bulk_changed_device where bulk_change_id = ?`;

const FORGET = `
  with forgotten as (
    delete from bulk_changed_device where bulk_change_id = ? and device_id = any(?::uuid[]) returning org_id
  ), counts as (
    select org_id, count(*)::int as devices from forgotten group by org_id
  )
  update bulk_change b set devices = b.devices - c.devices from counts c where b.id = ? and b.org_id = c.org_id`;

/** Skips locked rows: their changes are being undone. */
const REMOVE = `
  with removed as (
    delete from bulk_change where (id, org_id) in (
      select id, org_id from bulk_change where expires_at <= ? order by expires_at limit ? for update skip locked
    ) returning 1
  )
  select count(*)::int as count from removed`;
