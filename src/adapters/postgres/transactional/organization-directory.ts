/** Which organizations there are, on PostgreSQL. */
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { OrganizationRow } from './entities/access-rows.ts';
import type { Orm } from './orm.ts';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return async (orgId) => (await orm.within(SYSTEM_SCOPE).count(OrganizationRow, { id: orgId })) > 0;
}
