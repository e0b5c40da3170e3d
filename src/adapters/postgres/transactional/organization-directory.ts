/** Which organizations exist, on PostgreSQL. */
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { OrganizationRow } from './entities/organization-row.ts';
import type { Orm } from './orm.ts';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return (orgId) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => (await em.count(OrganizationRow, { id: orgId })) > 0);
}
