/** What organizations and sites are called. */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { scopeCondition } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { NamedKind } from '#application/ports/fleet/names-in-reach.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

/** Rows of `NamedThing`, by id. */
export function names(scope: AccessScope, kind: NamedKind): Sql {
  return kind === 'organization'
    ? sql`select o.id, o.name from organization o where ${scopeCondition(scope, sql`o.id`)} order by o.id`
    : sql`select s.id, s.name from site s where ${scopeCondition(scope, sql`s.org_id`)} order by s.id`;
}
