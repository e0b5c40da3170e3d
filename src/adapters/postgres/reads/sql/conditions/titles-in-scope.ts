/**
 * The titles among which names of software are looked up: those that organizations in scope have. In the
 * catalogue of all tenants, how long a look-up takes would show whether others have the name.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/**
 * How many times the list of an organization is scanned at most. Beyond that, finding names in the catalogue and asking
 * whether an organization has them is faster, though it takes some microseconds longer for each title that others have.
 */
const MOST_LISTS = 2;

/** In UTF-8, folded. */
export const LONGEST_INDEXED_NAME = 2_000;

/**
 * A query of (title_id, name_lc). `searches` is how many times it is scanned from end to end; 0 if it is read through an
 * index, which leaves out names of more than {@link LONGEST_INDEXED_NAME} bytes. A title that several organizations have may
 * come several times.
 */
export function titlesInScope(scope: AccessScope, searches: number): Sql {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return sql`select t.id as title_id, t.name_lc from software_title t`;
  const isInScope = scopeCondition(scope, sql`o.org_id`);
  return orgIds.length * Math.max(1, searches) <= MOST_LISTS
    ? sql`select o.title_id, o.name_lc from organization_software o where ${isInScope}${searches === 0 ? sql`` : longNames(isInScope)}`
    : sql`select t.id as title_id, t.name_lc from software_title t
        where exists (select from organization_software o where o.title_id = t.id and ${isInScope})`;
}

/** The others, which lie beside the index. */
function longNames(isInScope: Sql): Sql {
  return sql` union all
    select o.title_id, o.long_name_lc from organization_software o where ${isInScope} and o.name_lc is null`;
}
