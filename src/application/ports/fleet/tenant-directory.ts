import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

export interface Tenants {
  /** By name, then id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name, then id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

/** Every partner and organization. */
export type ListTenants = () => Promise<Tenants>;

/** A place has a name, which people change. */
export type PlaceKind = 'partner' | 'organization' | 'site';

/** The parent is an organization's partner or a site's organization; null for a partner. */
export interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
}

/**
 * Another place of the same parent has the name, ignoring case and surrounding spaces. The transaction cannot
 * continue.
 */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** Within a transaction, limited to its scope; only `hold` needs system scope. */
export interface TenantWriter {
  /** All of them. Until the transaction ends, other calls of `hold` wait; loads do not. */
  hold(): Promise<Tenants>;
  /** Locked until the transaction ends; null if unknown or out of reach. */
  find(kind: PlaceKind, id: string): Promise<Place | null>;
  /** False if there is no such parent. Throws `NameTakenError`, as `rename` does. */
  add(kind: PlaceKind, place: Place): Promise<boolean>;
  /** The place was found in this transaction. */
  rename(kind: PlaceKind, place: Place): Promise<void>;
  /**
   * Removes a found place with everything that belongs to it; devices and enrolment keys of a site lose their site.
   * False, without any change, for an organization with devices, people or filters. Organizations need the whole
   * partner or the system.
   */
  remove(kind: Exclude<PlaceKind, 'partner'>, place: Place): Promise<boolean>;
  addPartner(partner: Omit<PartnerRecord, 'kind'>): Promise<void>;
  addOrganization(organization: Omit<OrganizationRecord, 'kind'>): Promise<void>;
}
