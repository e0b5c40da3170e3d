/** Saved filters and the custom fields that they can name, of the organizations in reach. */
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

/** A place in the order of a list: behind the filter that this names. */
export interface FilterPlace {
  readonly createdAt: Date | 'infinity';
  readonly id: string;
}

/** Where a list begins. */
export const BEFORE_THE_NEWEST: FilterPlace = {
  createdAt: 'infinity',
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The filters with the ids `$1`, newest first, ties by id, descending: rows of `SavedFilterRow`. */
export function savedFiltersById(scope: AccessScope): Sql {
  return sql`select f.id, f.org_id, f.name, f.description, f.conditions, f.created_by, f.created_at, f.updated_at,
      f.version
    from saved_filter f where ${scopeCondition(scope, sql`f.org_id`)} and f.id = any($1::uuid[])
    order by f.created_at desc, f.id desc`;
}

/**
 * The next filters after the place (`$1`, `$2`), newest first, ties by id, descending: rows of `FilterHeadRow`. The
 * size of the conditions is known without reading them.
 */
export function savedFilterHeads(scope: AccessScope, count: number): Sql {
  return sql`select f.id, f.name, f.description, f.created_at, octet_length(f.conditions) as size
    from saved_filter f where ${scopeCondition(scope, sql`f.org_id`)}
      and (f.created_at, f.id) < ($1::timestamptz, $2::uuid)
    order by f.created_at desc, f.id desc limit ${countLiteral(count, 1)}`;
}

/** All filters of an organization, without what may be long in them: rows of `FilterSummaryRow`. */
export function savedFilterSummaries(scope: AccessScope): Sql {
  return sql`select f.id, f.name, f.version, f.updated_at, octet_length(f.conditions) as size
    from saved_filter f where ${scopeCondition(scope, sql`f.org_id`)} and f.org_id = $1::uuid`;
}

/** The sizes of the conditions with the ids `$1`: rows of (id, size). */
export function savedFilterSizes(scope: AccessScope): Sql {
  return sql`select f.id, octet_length(f.conditions) as size
    from saved_filter f where ${scopeCondition(scope, sql`f.org_id`)} and f.id = any($1::uuid[])`;
}

/**
 * Every definition with the organizations in reach that it applies to: rows of `CustomFieldRow`, by key, then id. A
 * partner's definition applies to each of its organizations, and those in reach decide whether it is seen at all.
 */
export function customFields(scope: AccessScope): Sql {
  return sql`select f.key, f.label, f.type::text, f.choices, f.partner_id is not null as is_partners,
      array_agg(o.id::text order by o.id) as org_ids
    from custom_field f join organization o on o.id = f.org_id or o.partner_id = f.partner_id
    where ${scopeCondition(scope, sql`o.id`)} group by f.id order by f.key, f.id`;
}
