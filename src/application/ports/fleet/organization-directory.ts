import type { OrgId } from '#domain/ids.ts';

/** Whether the organization exists. Only for callers who reach every organization; others must not learn it. */
export type OrganizationDirectory = (orgId: OrgId) => Promise<boolean>;
