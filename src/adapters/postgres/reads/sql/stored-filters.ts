/** Saved filters and the custom fields that they can name, of the organizations in reach. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type Sql, sql } from './literal.ts';
import { scopeCondition } from './scope-condition.ts';

/** The filter with the id `$1`: rows of `SavedFilterRow`. */
export function savedFilterById(scope: AccessScope): Sql {
  return sql`${SELECT_FILTERS} where ${scopeCondition(scope, sql`f.org_id`)} and f.id = $1`;
}

/** Every filter, newest first, ties by id, descending: rows of `SavedFilterRow`. */
export function savedFilters(scope: AccessScope): Sql {
  return sql`${SELECT_FILTERS} where ${scopeCondition(scope, sql`f.org_id`)} order by f.created_at desc, f.id desc`;
}

const SELECT_FILTERS = sql`select f.id, f.org_id, f.name, f.description, f.conditions, f.created_by, f.created_at,
    f.updated_at, f.version from saved_filter f`;

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
