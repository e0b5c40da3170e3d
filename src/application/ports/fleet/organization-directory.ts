/** Which organizations there are. */
import type { OrgId } from '#domain/ids.ts';

/** Whether the organization exists; asked only on behalf of callers who reach every organization. */
export type OrganizationDirectory = (orgId: OrgId) => Promise<boolean>;
