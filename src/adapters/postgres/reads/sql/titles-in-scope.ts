/**
 * The titles among which names of software are looked up: those that organizations in scope have or had. In the
 * catalogue of all tenants, how long a look-up takes would show whether others have the name.
 */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import { type Sql, sql } from './literal.ts';
import { scopeCondition } from './scope-condition.ts';

/**
 * With more organizations, going through the titles of each takes longer than finding a name in the catalogue and
 * then asking whether one of them has it, which a name that is not in the catalogue saves.
 */
const MOST_ORGANIZATIONS = 8;

/** A query of (title_id, name_lc); of several organizations, a title may come several times. */
export function titlesInScope(scope: AccessScope): Sql {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return sql`select t.id as title_id, t.name_lc from software_title t`;
  const isInScope = scopeCondition(scope, sql`o.org_id`);
  return orgIds.length <= MOST_ORGANIZATIONS
    ? sql`select o.title_id, o.name_lc from organization_software o where ${isInScope}`
    : sql`select t.id as title_id, t.name_lc from software_title t
        where exists (select from organization_software o where o.title_id = t.id and ${isInScope})`;
}
