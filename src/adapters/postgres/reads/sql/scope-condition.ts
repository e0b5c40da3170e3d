/** An access scope as a condition on rows: what each statement reads is limited by it (Contract: §2). */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';
import { type Sql, sql, uuidLiteral, uuidsLiteral } from './literal.ts';

/** One organization is an equality, which the planner knows best; every organization is no condition at all. */
export function scopeCondition(scope: AccessScope, orgId: Sql): Sql {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return sql`true`;
  const [only] = orgIds;
  if (only === undefined) return sql`false`;
  return orgIds.length === 1
    ? sql`${orgId} = ${uuidLiteral(only)}`
    : sql`${orgId} = any(${uuidsLiteral(orgIds)})`;
}

/** The scripts `s` in scope, as searches find them. */
export function scriptScope(scope: AccessScope): Sql {
  return searchScope(scope, 'scripts').condition(sql`s`);
}

/** In more organizations than this, searches go through the blocks of everything. */
const MOST_SEARCHED_APART = 500;

/** Scripts of no more organizations than this, with their partner's, are looked at without blocks if they are few. */
const FEW_ORGANIZATIONS = 8;

/** The scope of one category. What a partner owns is seen in each of its organizations (Contract: §9). */
export function searchScope(scope: AccessScope, category: StoredCategory): SearchScope {
  if (category !== 'scripts' || scope.kind === 'system') {
    const orgIds = reachableOrgIds(scope) ?? [];
    return {
      condition: (alias) => scopeCondition(scope, sql`${alias}.org_id`),
      organizations: orgIds.length > MOST_SEARCHED_APART ? [] : orgIds,
      mayBeFew: false,
    };
  }
  const ofPartner =
    scope.kind === 'partner' && scope.isWhole
      ? (alias: Sql) => sql` or ${alias}.partner_id = ${uuidLiteral(scope.partnerId)}`
      : () => sql``;
  return {
    condition: (
      alias,
    ) => sql`(${scopeCondition(scope, sql`${alias}.org_id`)} or ${alias}.partner_id = any(array(
      select g.partner_id from organization g where ${scopeCondition(scope, sql`g.id`)}))${ofPartner(alias)})`,
    organizations: [],
    mayBeFew: (reachableOrgIds(scope)?.length ?? 0) <= FEW_ORGANIZATIONS,
  };
}

/** What a search may find. */

export interface SearchScope {
  /** The condition for rows of the alias. */
  readonly condition: (alias: Sql) => Sql;
  /** The organizations whose own blocks hold all that is in scope; none if only the blocks of everything do. */
  readonly organizations: readonly string[];
  /** Whether it is worth a look if only few rows are in scope, for want of such blocks. */
  readonly mayBeFew: boolean;
}
