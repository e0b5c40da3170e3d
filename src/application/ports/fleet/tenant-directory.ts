import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

/** All tenants, for the operator. */
export interface Tenants {
  /** By name, then id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name, then id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

/** Every partner and organization. */
export type ListTenants = () => Promise<Tenants>;

/** Adds tenants within a transaction of system scope. */
export interface TenantWriter {
  /** All of them. Until the transaction ends, every other one that calls this waits; loads do not. */
  hold(): Promise<Tenants>;
  addPartner(partner: Omit<PartnerRecord, 'kind'>): Promise<void>;
  addOrganization(organization: Omit<OrganizationRecord, 'kind'>): Promise<void>;
}
