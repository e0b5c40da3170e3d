/** Limits every statement to its scope (Contract: §2). */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';
import { type Sql, sql, uuidLiteral, uuidsLiteral } from './literal.ts';

/** One organization becomes an equality, which the planner handles best. */
export function scopeCondition(scope: AccessScope, orgId: Sql): Sql {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return sql`true`;
  const [only] = orgIds;
  if (only === undefined) return sql`false`;
  return orgIds.length === 1
    ? sql`${orgId} = ${uuidLiteral(only)}`
    : sql`${orgId} = any(${uuidsLiteral(orgIds)})`;
}

/**
 * Applies the rule of `ownersInReach`: rows of a partner are visible in each of its organizations (Contract: §9, §18).
 */
export function ownerCondition(scope: AccessScope, alias: Sql): Sql {
  if (scope.kind === 'system') return sql`true`;
  const ofPartner =
    scope.kind === 'partner' && scope.isWhole
      ? sql` or ${alias}.partner_id = ${uuidLiteral(scope.partnerId)}`
      : sql``;
  return sql`(${scopeCondition(scope, sql`${alias}.org_id`)} or ${alias}.partner_id = any(array(
      select g.partner_id from organization g where ${scopeCondition(scope, sql`g.id`)}))${ofPartner})`;
}

/** With more organizations, searches read the common blocks of all titles instead of the organizations' own blocks. */
const MOST_SEARCHED_APART = 500;

/** With more organizations, searches do not assume that scripts are few. */
const FEW_ORGANIZATIONS = 8;

export function searchScope(scope: AccessScope, category: StoredCategory): SearchScope {
  if (category !== 'scripts' || scope.kind === 'system') {
    const orgIds = reachableOrgIds(scope) ?? [];
    return {
      condition: (alias) => scopeCondition(scope, sql`${alias}.org_id`),
      organizations: orgIds.length > MOST_SEARCHED_APART ? [] : orgIds,
      mayBeFew: false,
    };
  }
  return {
    condition: (alias) => ownerCondition(scope, alias),
    organizations: [],
    mayBeFew: (reachableOrgIds(scope)?.length ?? 0) <= FEW_ORGANIZATIONS,
  };
}

export interface SearchScope {
  readonly condition: (alias: Sql) => Sql;
  /** The organizations whose own search blocks cover the scope. If empty, searches read the blocks of all titles. */
  readonly organizations: readonly string[];
  /**
   * Whether to check first if few rows are in scope. True for scripts of few organizations, because scripts
   * have no blocks by organization.
   */
  readonly mayBeFew: boolean;
}
