/** Every tenant, for the operator. */
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

/** Everything that can own something. */
export interface Tenants {
  /** By name and id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name and id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

/** All of them; not limited to any tenant. */
export type ListTenants = () => Promise<Tenants>;

/** Adds tenants within a transaction of system scope. */
export interface TenantWriter {
  /** All of them. Until the transaction ends, every other one that calls this waits; loads do not. */
  hold(): Promise<Tenants>;
  addPartner(partner: Omit<PartnerRecord, 'kind'>): Promise<void>;
  addOrganization(organization: Omit<OrganizationRecord, 'kind'>): Promise<void>;
}
