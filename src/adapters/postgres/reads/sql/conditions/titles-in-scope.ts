/**
 * Reads only the titles of organizations in scope. If all titles were searched, the time would tell whether another
 * tenant has software of the searched name.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/**
 * The maximum number of scans of organizations' own title lists. If more are needed, titles in the common
 * catalog are checked instead, which takes some microseconds for each title that only other tenants have.
 */
const MOST_LISTS = 2;

/** In bytes of the folded name in UTF-8. */
export const LONGEST_INDEXED_NAME = 2_000;

/**
 * A query of (title_id, name_lc) that may repeat titles. `searches` is how often the caller scans all names.
 * If it is 0, names longer than {@link LONGEST_INDEXED_NAME} may be missing, because the index lacks them.
 */
export function titlesInScope(scope: AccessScope, searches: number): Sql {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return sql`select t.id as title_id, t.name_lc from software_title t`;
  const isInScope = scopeCondition(scope, sql`o.org_id`);
  return orgIds.length * Math.max(1, searches) <= MOST_LISTS
    ? sql`select o.title_id, o.name_lc from organization_software o
        where ${isInScope} and o.version_of is null${searches === 0 ? sql`` : longNames(isInScope)}`
    : sql`select t.id as title_id, t.name_lc from software_title t
        where exists (select from organization_software o where o.title_id = t.id and ${isInScope})`;
}

function longNames(isInScope: Sql): Sql {
  return sql` union all
    select o.title_id, o.long_name_lc from organization_software o 
    where ${isInScope} and o.version_of is null and o.name_lc is null`;
}

/** A query of (title_id, id, version_key) that may repeat versions. Texts that do not parse are left out. */
export function versionsInScope(scope: AccessScope): Sql {
  const orgIds = reachableOrgIds(scope);
  const versions = sql`select v.title_id, v.id, v.version_key from software_version v`;
  if (orgIds === null) return sql`${versions} where v.version_key is not null`;
  const isInScope = scopeCondition(scope, sql`o.org_id`);
  return orgIds.length <= MOST_LISTS
    ? sql`select o.version_of as title_id, v.id, v.version_key
        from organization_software o join software_version v on v.id = o.title_id
        where ${isInScope} and o.version_of is not null and v.version_key is not null`
    : sql`${versions} where v.version_key is not null
        and exists (select from organization_software o where o.title_id = v.id and ${isInScope})`;
}
