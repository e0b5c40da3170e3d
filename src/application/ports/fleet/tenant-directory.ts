/** Every tenant there is, for the operator. */
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
