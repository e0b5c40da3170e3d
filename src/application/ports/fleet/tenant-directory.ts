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

/** What people name. */
export type PlaceKind = 'partner' | 'organization' | 'site';

/** A partner, organization or site. The parent is an organization's partner, a site's organization, null for a partner. */
export interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** Another place of the same parent has the name, in any case and after trimming. The transaction cannot go on. */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** Changes tenants and sites within a transaction, limited to its scope but for `hold`, which needs the system. */
export interface TenantWriter {
  /** All of them. Until the transaction ends, every other one that calls this waits; loads do not. */
  hold(): Promise<Tenants>;
  /** Locked until the transaction ends; null if unknown or out of reach. */
  find(kind: PlaceKind, id: string): Promise<Place | null>;
  /** False if there is no such parent. Throws `NameTakenError`, as the next one does. */
  add(kind: PlaceKind, place: Place): Promise<boolean>;
  /** The place was found in this transaction. */
  rename(kind: PlaceKind, place: Place): Promise<void>;
  /**
   * Removes a found place with what belongs to it; devices and enrolment keys of a site then have none. False, without
   * any change, for an organization with devices, people or filters. Needs the whole partner or the system for
   * organizations.
   */
  remove(kind: Exclude<PlaceKind, 'partner'>, place: Place): Promise<boolean>;
  addPartner(partner: Omit<PartnerRecord, 'kind'>): Promise<void>;
  addOrganization(organization: Omit<OrganizationRecord, 'kind'>): Promise<void>;
}
