/** Every tenant there is, for the operator. */
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

export interface Tenants {
  /** By name and id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name and id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

export type ListTenants = () => Promise<Tenants>;
