/** What is counted of a fleet: devices of organizations, titles of patches, the summary (Contract: §10). */
import type { PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import { type SeenSince, URGENT_SEVERITIES } from '#domain/fleet/fleet-summary.ts';
import { countLiteral, type Sql, sql, textLiteral } from './literal.ts';
import { scopeCondition } from './scope-condition.ts';

/** See `ScopedStatement.organizations`. */
export function organizations(scope: AccessScope): Sql {
  return sql`select o.id, o.name, o.partner_id as "partnerId", p.name as "partnerName",
      coalesce(c.devices, 0)::int as "deviceCount"
    from organization o join partner p on p.id = o.partner_id
    left join (
      select d.org_id, count(*) as devices from device d where ${scopeCondition(scope, sql`d.org_id`)} group by d.org_id
    ) c on c.org_id = o.id
    where ${scopeCondition(scope, sql`o.id`)}`;
}

/**
 * Behind the title `$1`, if there is one. Without repeats, rows are devices, which an index has in order of their
 * titles: a page is read no further than to its end. See `ScopedStatement.patches`.
 */
export function patches(scope: AccessScope, { status, after, limit }: PatchQuery): Sql {
  const counts = PATCH_STATUSES.map((each) => sql`${count(each)}::int as ${COLUMNS[each]}`).join(', ') as Sql;
  return sql`select p.title, ${counts}
    from patch p where not p.is_repeat and ${scopeCondition(scope, sql`p.org_id`)}
      and ${after === null ? sql`true` : sql`p.title > $1::text collate "C"`}
    group by p.title ${status === null ? sql`` : sql`having ${count(status)} > 0`}
    order by p.title limit ${countLiteral(limit, 1)}`;
}

function count(status: (typeof PATCH_STATUSES)[number]): Sql {
  return sql`count(*) filter (where p.status = ${textLiteral(status)})`;
}

const COLUMNS: Readonly<Record<(typeof PATCH_STATUSES)[number], Sql>> = {
  pending: sql`pending`,
  installed: sql`installed`,
  failed: sql`failed`,
};

export function patchValues({ after }: PatchQuery): readonly unknown[] {
  return after === null ? [] : [after];
}

/**
 * Devices by status, system and role, with how many of them were not seen since `$1` and `$2`; and alerts by severity,
 * which have no status of a device. The table is read once. See `ScopedStatement.tallies`.
 */
export function tallies(scope: AccessScope): Sql {
  const severities = URGENT_SEVERITIES.map(textLiteral).join(', ') as Sql;
  return sql`select d.status::text as status, d.os_type::text as "osType", d.device_role::text as role,
      null as severity, count(*)::int as count,
      (count(*) - count(*) filter (where d.last_seen_at >= $1::timestamptz))::int as "notSeenDays7",
      (count(*) - count(*) filter (where d.last_seen_at >= $2::timestamptz))::int as "notSeenDays30",
      count(*) filter (where d.pending_patches > 0)::int as "patchesPending",
      count(*) filter (where d.reboot_required)::int as "rebootRequired"
    from device d where ${scopeCondition(scope, sql`d.org_id`)} group by d.status, d.os_type, d.device_role
    union all
    select null, null, null, a.severity::text, count(*)::int, 0, 0, 0, 0
    from alert a where ${scopeCondition(scope, sql`a.org_id`)} and a.status = 'active' and a.severity in (${severities})
    group by a.severity`;
}

export function tallyValues({ days7, days30 }: SeenSince): readonly unknown[] {
  return [new Date(days7), new Date(days30)];
}
