/** Counts over the fleet (Contract: §10). */
import { countLiteral, type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { PATCH_STATUSES, type PatchStatus } from '#domain/fleet/fleet-record.ts';
import { type SeenSince, URGENT_SEVERITIES } from '#domain/fleet/fleet-summary.ts';

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
 * Rows of `ListedPatch`: the titles after `$1`, or the first ones. An index has each organization's patches
 * by title, so only the first titles of each organization are read.
 */
export function patches(scope: AccessScope, query: PatchQuery): Sql {
  return query.status === null ? allPatches(scope, query) : patchesIn(query.status, scope, query);
}

function allPatches(scope: AccessScope, { after, limit }: PatchQuery): Sql {
  const size = countLiteral(limit, 1);
  return sql`select t.title, ${each((status) => sql`sum(t.${status})::int as ${status}`)}
    from organization o cross join lateral (
      select p.title, ${COUNTS} from patch p where ${patchesOfOrganization(after)}
      group by p.title order by p.title limit ${size}
    ) t
    where ${scopeCondition(scope, sql`o.id`)} group by t.title order by t.title limit ${size}`;
}

/** Finds the titles first, then counts their patches in every status. */
function patchesIn(status: PatchStatus, scope: AccessScope, { after, limit }: PatchQuery): Sql {
  const size = countLiteral(limit, 1);
  const inScope = scopeCondition(scope, sql`o.id`);
  return sql`with wanted as materialized (
      select distinct t.title from organization o cross join lateral (
        select distinct p.title from patch p
        where ${patchesOfOrganization(after)} and p.status = ${textLiteral(status)} order by p.title limit ${size}
      ) t
      where ${inScope} order by t.title limit ${size}
    )
    select w.title, ${each((counted) => sql`sum(t.${counted})::int as ${counted}`)}
    from wanted w cross join organization o cross join lateral (
      select ${COUNTS} from patch p where p.org_id = o.id and not p.is_repeat and p.title = w.title
    ) t
    where ${inScope} group by w.title order by w.title`;
}

function patchesOfOrganization(after: string | null): Sql {
  return sql`p.org_id = o.id and not p.is_repeat and ${after === null ? sql`true` : sql`p.title > $1::text collate "C"`}`;
}

function each(part: (status: Sql) => Sql): Sql {
  return PATCH_STATUSES.map((status) => part(STATUS_COLUMNS[status])).join(', ') as Sql;
}

const STATUS_COLUMNS: Readonly<Record<PatchStatus, Sql>> = {
  pending: sql`pending`,
  installed: sql`installed`,
  failed: sql`failed`,
};

const COUNTS = each((status) => sql`count(*) filter (where p.status = ${textLiteral(status)}) as ${status}`);

export function patchValues({ after }: PatchQuery): readonly unknown[] {
  return after === null ? [] : [after];
}

/**
 * Rows of `TallyRow`: devices by status, system and role, with how many were not seen since `$1` and `$2`, and urgent
 * alerts by severity.
 */
export function tallies(scope: AccessScope): Sql {
  const severities = URGENT_SEVERITIES.map(textLiteral).join(', ') as Sql;
  return sql`select d.status::text as status, d.os_type::text as "osType", d.device_role::text as role,
      null as severity, count(*)::int as count,
      count(*) filter (where d.last_seen_at < $1::timestamptz)::int as "notSeenDays7",
      count(*) filter (where d.last_seen_at < $2::timestamptz)::int as "notSeenDays30",
      (count(*) - count(d.last_seen_at))::int as "neverSeen",
      count(*) filter (where d.pending_patches > 0)::int as "patchesPending",
      count(*) filter (where d.reboot_required)::int as "rebootRequired"
    from device_state d where ${scopeCondition(scope, sql`d.org_id`)} group by d.status, d.os_type, d.device_role
    union all
    select null, null, null, a.severity::text, count(*)::int, 0, 0, 0, 0, 0
    from alert a where ${scopeCondition(scope, sql`a.org_id`)} and a.status = 'active' and a.severity in (${severities})
    group by a.severity`;
}

export function tallyValues({ days7, days30 }: SeenSince): readonly unknown[] {
  return [new Date(days7), new Date(days30)];
}
