import type { OrgId, PartnerId } from '#domain/ids.ts';

/** Whether the organization exists. Only for callers who reach every organization; others must not learn this. */
export type OrganizationDirectory = (orgId: OrgId) => Promise<boolean>;

/**
 * The partner's organizations, in no order; null if there is no such partner. Only for callers who reach every
 * organization.
 */
export type OrganizationsOfPartner = (partnerId: PartnerId) => Promise<readonly OrgId[] | null>;
