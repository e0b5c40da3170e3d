/** Lists that have no counts: sites, alerts, scripts (Contract: §10), saved filters and custom fields. */
import { countLiteral, type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';
import { ownerCondition, scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AlertQuery, AlertSelection, ScriptQuery } from '#application/ports/fleet/fleet-lists.ts';
import type { NamedKind } from '#application/ports/fleet/names-in-reach.ts';
import type { FoundThing } from '#application/ports/search/searcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { MAX_FILTER_VERSIONS } from '#domain/filter/saved-filter.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import { SORTED_NAME_LENGTH } from '#domain/text/fold-case.ts';

export function sites(scope: AccessScope): Sql {
  return sql`select s.id, s.org_id as "orgId", s.name from site s where ${scopeCondition(scope, sql`s.org_id`)}`;
}

/** Rows of `AlertRow`, newest first: the alerts after the position (`$1`, `$2`). */
export function alerts(scope: AccessScope, query: AlertQuery): Sql {
  const conditions = [
    ...alertConditions(scope, query, 3),
    sql`(a.created_at, a.id) < ($1::timestamptz, $2::uuid)`,
  ];
  return sql`select ${alertColumns(scope)} from alert a where ${conditions.join(' and ') as Sql}
    order by a.created_at desc, a.id desc limit ${countLiteral(query.limit, 1)}`;
}

export function alertValues({ after, ...query }: AlertQuery): readonly unknown[] {
  const place = after === null ? ['infinity', LAST_ID] : [new Date(after.createdAt), after.id];
  return [...place, ...selectionValues(query)];
}

export function alertCount(scope: AccessScope, query: AlertSelection): Sql {
  return sql`select count(*)::int as count from alert a where ${alertConditions(scope, query, 1).join(' and ') as Sql}`;
}

/** A row of `AlertDetailsRow` for the alert `$1`. */
export function alertById(scope: AccessScope): Sql {
  return sql`select ${alertColumns(scope)}, o.name as organization_name, (select d.hostname from ${ALERT_DEVICE(scope)}) as hostname
    from alert a join organization o on o.id = a.org_id where a.id = $1::uuid and ${scopeCondition(scope, sql`a.org_id`)}`;
}

/** Rows of `ContextRow` for the devices `$1`, the scripts `$2` and the alerts `$3`. */
export function searchContexts(scope: AccessScope): Sql {
  const inScope = (alias: Sql) => scopeCondition(scope, sql`${alias}.org_id`);
  return sql`select 'devices' as type, d.id, o.id as org_id, o.name, null::uuid as device_id, null as hostname
    from device d join organization o on o.id = d.org_id where d.id = any($1::uuid[]) and ${inScope(sql`d`)}
    union all
    select 'scripts', s.id, o.id, o.name, null, null
    from script s left join organization o on o.id = s.org_id where s.id = any($2::uuid[]) and ${ownerCondition(scope, sql`s`)}
    union all
    select 'alerts', a.id, o.id, o.name, d.id, d.hostname
    from alert a join organization o on o.id = a.org_id left join device d on d.id = a.device_id and ${inScope(sql`d`)}
    where a.id = any($3::uuid[]) and ${inScope(sql`a`)}`;
}

export function contextValues(things: readonly FoundThing[]): readonly unknown[] {
  return STORED_CATEGORIES.map((wanted) => things.flatMap(({ type, id }) => (type === wanted ? [id] : [])));
}

const ALERT_DEVICE = (scope: AccessScope) =>
  sql`device d where d.id = a.device_id and ${scopeCondition(scope, sql`d.org_id`)}`;

/** The subquery for the name runs only for the rows of the page. */
function alertColumns(scope: AccessScope): Sql {
  return sql`a.id, a.org_id, a.device_id, a.title, a.message, a.severity, a.status, a.created_at,
    (select coalesce(nullif(d.display_name, ''), d.hostname) from ${ALERT_DEVICE(scope)}) as device_name`;
}

/** The parameters from `first` on are those of `selectionValues`. */
function alertConditions(scope: AccessScope, query: AlertSelection, first: number): readonly Sql[] {
  const { foldedText, status, severity, deviceId } = query;
  const text = sql`$${countLiteral(deviceId === null ? first : first + 1)}::text`;
  return [
    scopeCondition(scope, sql`a.org_id`),
    ...(status === null ? [] : [sql`a.status = ${textLiteral(status)}`]),
    ...(severity === null ? [] : [sql`a.severity = ${textLiteral(severity)}`]),
    ...(deviceId === null ? [] : [sql`a.device_id = $${countLiteral(first)}::uuid`]),
    ...(foldedText === ''
      ? []
      : [
          sql`(strpos(coalesce(a.title_lc, a.title), ${text}) > 0 or strpos(coalesce(a.message_lc, a.message), ${text}) > 0)`,
        ]),
  ];
}

export function selectionValues({ foldedText, deviceId }: AlertSelection): readonly unknown[] {
  return [...(deviceId === null ? [] : [deviceId]), ...(foldedText === '' ? [] : [foldedText])];
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function devicePresence(scope: AccessScope): Sql {
  return sql`select d.id from device d where d.id = $1::uuid and ${scopeCondition(scope, sql`d.org_id`)}`;
}

/**
 * Rows of `ScriptRow`, by name: the scripts after the position (`$2`, `$3`) that contain `$1`. There are thousands at
 * most, so no index has this order.
 */
export function scripts(scope: AccessScope, { after, limit }: ScriptQuery): Sql {
  const behind = after === null ? sql`true` : sql`(s.sorted_name, s.id) > ($2::text collate "C", $3::uuid)`;
  return sql`select s.id, s.org_id, s.partner_id, s.name, s.description
    from (
      select s.*, left(coalesce(s.name_lc, s.name), ${countLiteral(SORTED_NAME_LENGTH)}) collate "C" as sorted_name
      from script s where ${ownerCondition(scope, sql`s`)} and (strpos(coalesce(s.name_lc, s.name), $1::text) > 0
        or strpos(coalesce(s.description_lc, s.description), $1::text) > 0)
    ) s where ${behind} order by s.sorted_name, s.id limit ${countLiteral(limit, 1)}`;
}

export function scriptValues({ foldedText, after }: ScriptQuery): readonly unknown[] {
  return after === null ? [foldedText] : [foldedText, after.name, after.id];
}

export function names(scope: AccessScope, kind: NamedKind): Sql {
  switch (kind) {
    case 'organization':
      return sql`select o.id, o.name from organization o where ${scopeCondition(scope, sql`o.id`)} order by o.id`;
    case 'site':
      return sql`select s.id, s.name from site s where ${scopeCondition(scope, sql`s.org_id`)} order by s.id`;
    case 'filter':
      return sql`select f.id, f.name from saved_filter f where ${ownerCondition(scope, sql`f`)} order by f.id`;
  }
}

export interface FilterPlace {
  readonly createdAt: Date | 'infinity';
  readonly id: string;
}

export const BEFORE_THE_NEWEST: FilterPlace = {
  createdAt: 'infinity',
  id: LAST_ID,
};

/** Rows of `SavedFilterRow`, newest first, ties by descending id. */
export function savedFiltersById(scope: AccessScope): Sql {
  return sql`select f.id, f.org_id, f.partner_id, f.name, f.description, f.conditions, f.created_by, f.created_at, f.updated_at,
      f.version, f.changed_by
    from saved_filter f where ${ownerCondition(scope, sql`f`)} and f.id = any($1::uuid[])
    order by f.created_at desc, f.id desc`;
}

/**
 * Rows of `FilterHeadRow`, newest first: the filters after the position (`$1`, `$2`). PostgreSQL knows the
 * size of the conditions without reading them.
 */
export function savedFilterHeads(scope: AccessScope, count: number): Sql {
  return sql`select f.id, f.name, f.description, f.created_at, octet_length(f.conditions) as size
    from saved_filter f where ${ownerCondition(scope, sql`f`)}
      and (f.created_at, f.id) < ($1::timestamptz, $2::uuid)
    order by f.created_at desc, f.id desc limit ${countLiteral(count, 1)}`;
}

/** Rows of `FilterSummaryRow`: all filters of the organization `$1` and of its partner. */
export function savedFilterSummaries(scope: AccessScope): Sql {
  return sql`select f.id, f.name, f.version, f.updated_at, octet_length(f.conditions) as size, f.named::text[] as named
    from saved_filter f where ${ownerCondition(scope, sql`f`)} and (f.org_id = $1::uuid
      or f.partner_id = (select g.partner_id from organization g where g.id = $1::uuid))`;
}

/** Rows of (id, size), newest first: the number of each version, and the bytes of its conditions. */
export function filterVersionHeads(scope: AccessScope): Sql {
  return sql`select v.version as id, octet_length(v.conditions) as size
    from (${filterVersionsOf(scope)}) v order by v.version desc limit ${countLiteral(MAX_FILTER_VERSIONS, 1)}`;
}

export function filterVersions(scope: AccessScope): Sql {
  return sql`select v.version, v.name, v.description, v.conditions, v.changed_by, v.at
    from (${filterVersionsOf(scope)}) v where v.version = any($2::int[]) order by v.version desc`;
}

/** Reads both tables, so a version that is superseded meanwhile is still found. */
function filterVersionsOf(scope: AccessScope): Sql {
  return sql`select f.version, f.name, f.description, f.conditions, f.changed_by, f.updated_at as at
      from saved_filter f where ${ownerCondition(scope, sql`f`)} and f.id = $1::uuid
    union all
    select h.version, h.name, h.description, h.conditions, h.changed_by, h.at
      from filter_version h where ${ownerCondition(scope, sql`h`)} and h.filter_id = $1::uuid`;
}

/** Rows of (id, size): the bytes of each filter's conditions. */
export function savedFilterSizes(scope: AccessScope): Sql {
  return sql`select f.id, octet_length(f.conditions) as size
    from saved_filter f where ${ownerCondition(scope, sql`f`)} and f.id = any($1::uuid[])`;
}

/** Rows of (id, size): the bytes of the conditions of the filters `$1` and of all filters inside them. */
export function savedFiltersWithInner(scope: AccessScope): Sql {
  return sql`with recursive reached(id) as (
      select unnest($1::uuid[])
      union select e.id from reached r join saved_filter f on f.id = r.id and ${ownerCondition(scope, sql`f`)}
        cross join lateral unnest(f.named) e(id))
    select f.id, octet_length(f.conditions) as size
    from saved_filter f where ${ownerCondition(scope, sql`f`)} and f.id in (select r.id from reached r)`;
}

/** Rows of `FilterLink`: the filters that contain the filter `$1`, directly or through others. */
export function filtersRelyingOn(scope: AccessScope): Sql {
  return sql`with recursive reached(id) as (
      select $1::uuid
      union select f.id from reached r
        join saved_filter f on f.named @> array[r.id] and f.named <> '{}' and ${ownerCondition(scope, sql`f`)})
    select f.id, f.name, f.org_id as "orgId", f.partner_id as "partnerId", f.version, f.named::text[] as named
    from saved_filter f where ${ownerCondition(scope, sql`f`)} and f.id <> $1::uuid and f.id in (select r.id from reached r)`;
}

/**
 * Rows of `CustomFieldRow`, by key, then id: every definition with its organizations in scope. A partner's
 * definition is visible if one of its organizations is in scope.
 */
export function customFields(scope: AccessScope): Sql {
  return sql`select f.key, f.label, f.type::text, f.choices, f.partner_id is not null as is_partners,
      array_agg(o.id::text order by o.id) as org_ids
    from custom_field f join organization o on o.id = f.org_id or o.partner_id = f.partner_id
    where ${scopeCondition(scope, sql`o.id`)} group by f.id order by f.key, f.id`;
}
