import type { EntityManager } from '@mikro-orm/postgresql';
import { arrayText, customColumn, customDerivedColumn } from '#adapters/postgres/derived-columns.ts';
import {
  AlertRow,
  DeviceRow,
  toChangeableDevice,
  toDeviceColumns,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { FOR_UPDATE, inReach, lockSoon } from '#adapters/postgres/transactional/orm.ts';
import type { AlertWriter } from '#application/ports/fleet/alert-writer.ts';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { CustomValue } from '#domain/device/device.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { deviceEnds } from './device-ends.ts';

export function deviceWriter(em: EntityManager, scope: AccessScope): DeviceWriter {
  const orgIds = reachableOrgIds(scope);
  const reach = orgIds === null ? null : arrayText(orgIds);
  // No managed row is used, because its update would name the id but not the scope.
  const replace = async (device: ChangeableDevice) => {
    await em.flush();
    const { id, orgId } = device;
    const one = { $and: [{ id, orgId }, inReach(scope)] };
    const count = await em.nativeUpdate(DeviceRow, one, toDeviceColumns(device));
    if (count !== 1) throw new Error(`there is no device ${id}`);
  };
  return {
    findForUpdate: async (id) => {
      const one = { id, ...inReach(scope) };
      const row = await lockSoon(em, () => em.findOne(DeviceRow, one, FOR_UPDATE));
      return row === null ? null : toChangeableDevice(row);
    },
    replace,
    ...deviceEnds(em, scope, replace),
    hold: async (ids) => {
      if (ids.length === 0) return [];
      const rows = await lockSoon(em, () => em.execute<HeldRow[]>(HOLD, [arrayText(ids), reach, reach]));
      return rows.map(({ custom, ...device }) => ({
        ...device,
        custom: new Map(Object.entries(custom ?? {})),
      }));
    },
    replaceAll: async (devices) => {
      if (devices.length === 0) return;
      await em.flush();
      const rows = devices.map(({ id, orgId, tags, custom, status }) => ({
        ...{ id, org_id: orgId, tags: arrayText(tags), status },
        ...{ custom: textOf(customColumn(custom)), custom_derived: textOf(customDerivedColumn(custom)) },
      }));
      const [{ count = 0 } = {}] = await em.execute<{ count: number }[]>(REPLACE, [
        JSON.stringify(rows),
        reach,
        reach,
      ]);
      if (count !== devices.length) throw new Error('some of the devices are not there');
    },
  };
}

interface HeldRow extends Omit<ChangeableDevice, 'custom'> {
  readonly custom: Readonly<Record<string, CustomValue>> | null;
}

/** Locks devices in one order, so two changes of the same devices cannot deadlock. */
const HOLD = `
  select id, org_id as "orgId", display_name as "displayName", to_json(tags) as tags, custom, status::text
  from device where id = any(?::uuid[]) and (?::uuid[] is null or org_id = any(?::uuid[]))
  order by id for no key update`;

/** Custom values are sent as text, because `JSON.stringify` fails on deeply nested ones before Node 25 (`jsonText`). */
function textOf(column: object | null): string | null {
  return column === null ? null : jsonText(column as CustomValue);
}

const REPLACE = `
  with changed as (
    update device d set tags = r.tags::text[], custom = r.custom::jsonb, custom_derived = r.custom_derived::jsonb,
      status = r.status::device_status
    from jsonb_to_recordset(?::jsonb)
      r(id uuid, org_id uuid, tags text, custom text, custom_derived text, status text)
    where d.id = r.id and d.org_id = r.org_id and (?::uuid[] is null or d.org_id = any(?::uuid[]))
    returning 1
  )
  select count(*)::int as count from changed`;
export function alertWriter(em: EntityManager, scope: AccessScope): AlertWriter {
  return {
    findForUpdate: async (id) => {
      const one = { id, ...inReach(scope) };
      const known = await em.findOne(AlertRow, one);
      if (known === null) return null;
      const { deviceId } = known;
      return lockSoon(em, async () => {
        // Locks the device before the alert, as loads do, so they cannot deadlock.
        if (deviceId !== null) await em.findOne(DeviceRow, { id: deviceId, ...inReach(scope) }, FOR_UPDATE);
        const alert = await em.findOne(AlertRow, one, FOR_UPDATE);
        return alert && { id, orgId: alert.orgId, status: alert.status };
      });
    },
    setStatus: async (id, status) => {
      const count = await em.nativeUpdate(AlertRow, { id, ...inReach(scope) }, { status });
      if (count !== 1) throw new Error(`there is no alert ${id}`);
      // The device is locked, so no other change of its alerts is missed.
      await em.execute(COUNT_CRITICAL_ALERTS, [id]);
    },
  };
}

const COUNT_CRITICAL_ALERTS = `
  update device d set critical_alerts = c.count
  from alert changed cross join lateral (
    select count(*)::int from alert a
    where a.device_id = changed.device_id and a.severity = 'critical' and a.status = 'active') c(count)
  where changed.id = ? and d.id = changed.device_id and d.org_id = changed.org_id and d.critical_alerts <> c.count`;
