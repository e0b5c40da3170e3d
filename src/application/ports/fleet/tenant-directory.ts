import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

/** All tenants, for the operator. */
export interface Tenants {
  /** By name, then id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name, then id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

export type ListTenants = () => Promise<Tenants>;
