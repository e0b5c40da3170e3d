import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

export interface Tenants {
  /** By name, then id. */
  readonly partners: readonly Omit<PartnerRecord, 'kind'>[];
  /** By name, then id. */
  readonly organizations: readonly Omit<OrganizationRecord, 'kind'>[];
}

/** Every partner and organization. */
export type ListTenants = () => Promise<Tenants>;

/** What the API can create, rename and delete. */
export type PlaceKind = 'partner' | 'organization' | 'site';

/** `parentId` is an organization's partner or a site's organization; null for a partner. */
export interface Place {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
}

/**
 * Another place of the same parent has the name, ignoring case and surrounding spaces. The transaction cannot be
 * continued.
 */
export class NameTakenError extends Error {
  override readonly name = 'NameTakenError';
}

/** Works within a transaction, limited to its scope. Only `hold` needs system scope. */
export interface TenantWriter {
  /** Reads all tenants. Until the transaction ends, other calls of `hold` wait, but loads do not. */
  hold(): Promise<Tenants>;
  /** Locks the place until the transaction ends. Null if unknown or out of reach. */
  find(kind: PlaceKind, id: string): Promise<Place | null>;
  /** False if the parent does not exist. Like `rename`, throws `NameTakenError` if the name is taken. */
  add(kind: PlaceKind, place: Place): Promise<boolean>;
  /** The place must have been found in this transaction. */
  rename(kind: PlaceKind, place: Place): Promise<void>;
  /**
   * Removes a found place with what belongs to it. Devices and enrolment keys of a removed site stay, but
   * have no site. False, without any change, if an organization has devices, people or filters. For
   * organizations, the scope must be the whole partner or the system.
   */
  remove(kind: Exclude<PlaceKind, 'partner'>, place: Place): Promise<boolean>;
  addPartner(partner: Omit<PartnerRecord, 'kind'>): Promise<void>;
  addOrganization(organization: Omit<OrganizationRecord, 'kind'>): Promise<void>;
}
