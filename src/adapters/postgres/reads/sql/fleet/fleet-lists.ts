/** The lists of a fleet that take no counting: sites, alerts, scripts (Contract: §10). */
import { countLiteral, type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition, scriptScope } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AlertQuery, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { SORTED_NAME_LENGTH } from '#domain/text/fold-case.ts';

/** See `ScopedStatement.sites`. */
export function sites(scope: AccessScope): Sql {
  return sql`select s.id, s.org_id as "orgId", s.name from site s where ${scopeCondition(scope, sql`s.org_id`)}`;
}

/** Behind the place (`$1`, `$2`), of the device `$3` if there is one. See `ScopedStatement.alerts`. */
export function alerts(scope: AccessScope, { status, severity, deviceId, limit }: AlertQuery): Sql {
  const conditions = [
    scopeCondition(scope, sql`a.org_id`),
    ...(status === null ? [] : [sql`a.status = ${textLiteral(status)}`]),
    ...(severity === null ? [] : [sql`a.severity = ${textLiteral(severity)}`]),
    ...(deviceId === null ? [] : [sql`a.device_id = $3::uuid`]),
    sql`(a.created_at, a.id) < ($1::timestamptz, $2::uuid)`,
  ].join(' and ') as Sql;
  // Of the page alone: the names are looked up behind the limit.
  const deviceName = sql`(select coalesce(nullif(d.display_name, ''), d.hostname) from device d
    where d.id = a.device_id and ${scopeCondition(scope, sql`d.org_id`)}) as device_name`;
  return sql`select a.id, a.org_id, a.device_id, ${deviceName}, a.title, a.message, a.severity, a.status, a.created_at
    from alert a where ${conditions} order by a.created_at desc, a.id desc limit ${countLiteral(limit, 1)}`;
}

export function alertValues({ after, deviceId }: AlertQuery): readonly unknown[] {
  const place = after === null ? ['infinity', LAST_ID] : [new Date(after.createdAt), after.id];
  return deviceId === null ? place : [...place, deviceId];
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The device `$1`. See `ScopedStatement.devicePresence`. */
export function devicePresence(scope: AccessScope): Sql {
  return sql`select d.id from device d where d.id = $1::uuid and ${scopeCondition(scope, sql`d.org_id`)}`;
}

/**
 * Those that contain `$1`, behind the place (`$2`, `$3`). There are thousands at most, so that no index keeps their
 * order. See `ScopedStatement.scripts`.
 */
export function scripts(scope: AccessScope, { after, limit }: ScriptQuery): Sql {
  const behind = after === null ? sql`true` : sql`(s.sorted_name, s.id) > ($2::text collate "C", $3::uuid)`;
  return sql`select s.id, s.org_id, s.partner_id, s.name, s.description
    from (
      select s.*, left(coalesce(s.name_lc, s.name), ${countLiteral(SORTED_NAME_LENGTH)}) collate "C" as sorted_name
      from script s where ${scriptScope(scope)} and (strpos(coalesce(s.name_lc, s.name), $1::text) > 0
        or strpos(coalesce(s.description_lc, s.description), $1::text) > 0)
    ) s where ${behind} order by s.sorted_name, s.id limit ${countLiteral(limit, 1)}`;
}

export function scriptValues({ foldedText, after }: ScriptQuery): readonly unknown[] {
  return after === null ? [foldedText] : [foldedText, after.name, after.id];
}
