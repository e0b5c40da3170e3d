/** Which organizations there are, on PostgreSQL. */
import type { OrganizationDirectory } from '#application/ports/organization-directory.ts';
import type { Orm } from './orm.ts';
import { OrganizationRow } from './rows/access-rows.ts';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return async (orgId) => (await orm.within({ kind: 'system' }).count(OrganizationRow, { id: orgId })) > 0;
}
