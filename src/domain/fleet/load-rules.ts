/**
 * Rules between the records of a load, and messages for their faults. The memory backend checks record by
 * record, the PostgreSQL backend with a query for each rule.
 */
import type { FleetRecord, OrganizationRecord } from './fleet-record.ts';

export type FleetKind = FleetRecord['kind'];

export interface Reference {
  readonly kind: FleetKind;
  readonly member: string;
  readonly to: FleetKind;
  /** Whether both records must be of one organization. */
  readonly isWithinOrganization?: boolean;
}

/**
 * Leaves out the creators of filters and the reviewers of deletion requests, because people of an embedding
 * program may have no record.
 */
export const REFERENCES: readonly Reference[] = [
  { kind: 'organization', member: 'partnerId', to: 'partner' },
  { kind: 'site', member: 'orgId', to: 'organization' },
  { kind: 'user', member: 'orgId', to: 'organization' },
  { kind: 'user', member: 'partnerId', to: 'partner' },
  { kind: 'apiKey', member: 'userId', to: 'user' },
  { kind: 'apiKey', member: 'orgId', to: 'organization' },
  { kind: 'enrolmentKey', member: 'orgId', to: 'organization' },
  { kind: 'enrolmentKey', member: 'siteId', to: 'site', isWithinOrganization: true },
  { kind: 'customField', member: 'orgId', to: 'organization' },
  { kind: 'customField', member: 'partnerId', to: 'partner' },
  { kind: 'device', member: 'orgId', to: 'organization' },
  { kind: 'device', member: 'siteId', to: 'site', isWithinOrganization: true },
  { kind: 'script', member: 'orgId', to: 'organization' },
  { kind: 'script', member: 'partnerId', to: 'partner' },
  { kind: 'alert', member: 'orgId', to: 'organization' },
  { kind: 'alert', member: 'deviceId', to: 'device', isWithinOrganization: true },
  { kind: 'filter', member: 'orgId', to: 'organization' },
  { kind: 'filter', member: 'partnerId', to: 'partner' },
  { kind: 'deletionRequest', member: 'userId', to: 'user' },
  { kind: 'deletionRequest', member: 'orgId', to: 'organization' },
  { kind: 'deletionRequest', member: 'partnerId', to: 'partner' },
];

export function explainReference({ to, isWithinOrganization = false }: Reference, id: string): string {
  return `${isWithinOrganization ? 'the organization has no' : 'there is no'} ${to} ${id}`;
}

/** A load must not change `member`, or it could take over another owner's record. Devices have a separate rule. */
export interface KeptOwner {
  readonly kind: FleetKind;
  readonly member: string;
  /** The member that names a device. If the device moves, the record may move along. */
  readonly movesWith?: string;
}

export const KEPT_OWNERS: readonly KeptOwner[] = [
  { kind: 'site', member: 'orgId' },
  { kind: 'alert', member: 'orgId', movesWith: 'deviceId' },
  { kind: 'filter', member: 'orgId' },
  { kind: 'filter', member: 'partnerId' },
  { kind: 'customField', member: 'orgId' },
  { kind: 'customField', member: 'partnerId' },
  { kind: 'script', member: 'orgId' },
  { kind: 'script', member: 'partnerId' },
  { kind: 'apiKey', member: 'userId' },
  { kind: 'enrolmentKey', member: 'orgId' },
  { kind: 'deletionRequest', member: 'userId' },
];

/** Members that no two records may share. */
export const UNIQUE = {
  partner: { member: 'name', message: 'another partner has this name' },
  organization: { member: 'name', message: 'the partner has another organization with this name' },
  site: { member: 'name', message: 'the organization has another site with this name' },
  user: { member: 'email', message: 'another user has this email' },
  apiKey: { member: 'key', message: 'another API key is the same' },
  enrolmentKey: { member: 'keySha256', message: 'another enrolment key is the same' },
  customField: { member: 'key', message: 'the owner has another custom field with this key' },
  deletionRequest: { member: 'userId', message: 'the user has another open deletion request' },
} as const satisfies Partial<Record<FleetKind, { readonly member: string; readonly message: string }>>;

export const SAME_ID = 'an earlier record of the file has this id';
export const FOREIGN_ID = 'the id belongs to another owner';
export const OTHER_ENTRY = 'the audit log has another entry with this id';
export const NOT_ERASED_HERE = 'this person was erased where the dump is from, and is not erased here';

export function explainForeignSubset(orgId: string): string {
  return `the user's partner has no organization ${orgId}`;
}

/** Names the owner: only operators read the message, and they may see every organization. */
export function explainForeignDevice({ id, name }: Pick<OrganizationRecord, 'id' | 'name'>): string {
  return `the device belongs to the organization ${JSON.stringify(name)} (${id}); --allow-moves moves it, with its history, to the organization that the file names`;
}

/** Reads a member by its name in load files and tables. Some records nest the owner's ids. */
export function memberOf(record: object, member: string): string | null {
  const { membership, owner, request } = record as Partial<
    Pick<Extract<FleetRecord, { kind: 'user' }>, 'membership'> &
      Pick<Extract<FleetRecord, { kind: 'customField' }>, 'owner'> &
      Pick<Extract<FleetRecord, { kind: 'deletionRequest' }>, 'request'>
  >;
  const holder = membership ?? owner ?? request ?? record;
  return (holder as Readonly<Record<string, string | null | undefined>>)[member] ?? null;
}
