/** What must hold of a staged fleet, table by table; `staged-faults.ts` looks for what does not. */
import type { FleetTable } from './fleet-tables.ts';

interface Reference {
  readonly from: FleetTable;
  readonly column: string;
  readonly member: string;
  readonly to: FleetTable;
  readonly what: string;
}

/** References to records of the load, or of the database. */
export const REFERENCES: readonly Reference[] = [
  { from: 'organization', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'site', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'app_user', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'app_user', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'api_key', column: 'user_id', member: '.userId', to: 'app_user', what: 'user' },
  { from: 'api_key', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'enrolment_key', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'custom_field', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'custom_field', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'device', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'script', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'script', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'alert', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'saved_filter', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'saved_filter', column: 'created_by', member: '.createdBy', to: 'app_user', what: 'user' },
  { from: 'account_deletion_request', column: 'user_id', member: '.userId', to: 'app_user', what: 'user' },
  {
    from: 'account_deletion_request',
    column: 'org_id',
    member: '.orgId',
    to: 'organization',
    what: 'organization',
  },
  {
    from: 'account_deletion_request',
    column: 'partner_id',
    member: '.partnerId',
    to: 'partner',
    what: 'partner',
  },
  {
    from: 'account_deletion_request',
    column: 'processed_by',
    member: '.processedBy',
    to: 'app_user',
    what: 'user',
  },
];

/** References that must stay within the organization. */
export const SAME_ORGANIZATION: readonly Reference[] = [
  { from: 'device', column: 'site_id', member: '.siteId', to: 'site', what: 'site' },
  { from: 'enrolment_key', column: 'site_id', member: '.siteId', to: 'site', what: 'site' },
  { from: 'alert', column: 'device_id', member: '.deviceId', to: 'device', what: 'device' },
];

/** Whose ids are given, and so may be given twice. */
export const WITH_ID: readonly FleetTable[] = [
  'partner',
  'organization',
  'site',
  'app_user',
  'api_key',
  'enrolment_key',
  'custom_field',
  'device',
  'patch',
  'script',
  'alert',
  'saved_filter',
  'account_deletion_request',
  'audit_log',
];

/** Rows that never change owner by themselves: no other organization or partner can take over their id. */
export const KEEP_OWNER: readonly {
  readonly table: FleetTable;
  readonly owner: string;
  /** The column of what takes them along where it moves. */
  readonly movesWith?: string;
}[] = [
  { table: 'site', owner: 'org_id' },
  { table: 'patch', owner: 'device_id' },
  { table: 'alert', owner: 'org_id', movesWith: 'device_id' },
  { table: 'saved_filter', owner: 'org_id' },
  { table: 'custom_field', owner: 'org_id' },
  { table: 'custom_field', owner: 'partner_id' },
  { table: 'script', owner: 'org_id' },
  { table: 'script', owner: 'partner_id' },
  { table: 'api_key', owner: 'user_id' },
  { table: 'enrolment_key', owner: 'org_id' },
  { table: 'account_deletion_request', owner: 'user_id' },
];

/** Values that must be unique. */
export const UNIQUE: readonly {
  readonly table: FleetTable;
  readonly columns: readonly string[];
  readonly member: string;
  /** Which rows `r` the value is unique among. */
  readonly among: string;
  readonly message: string;
}[] = [
  {
    table: 'app_user',
    columns: ['email_lc'],
    member: '.email',
    among: `r.status = 'active'`,
    message: 'another user has this email',
  },
  {
    table: 'api_key',
    columns: ['key_sha256'],
    member: '.key',
    among: 'true',
    message: 'another API key is the same',
  },
  {
    table: 'enrolment_key',
    columns: ['key_sha256'],
    member: '.keySha256',
    among: 'true',
    message: 'another enrolment key is the same',
  },
  {
    table: 'account_deletion_request',
    columns: ['user_id'],
    member: '.userId',
    among: `r.status in ('pending', 'processing')`,
    message: 'the user has another open deletion request',
  },
  {
    table: 'custom_field',
    columns: ['org_id', 'key'],
    member: '.key',
    among: 'true',
    message: 'the organization has another custom field with this key',
  },
  {
    table: 'custom_field',
    columns: ['partner_id', 'key'],
    member: '.key',
    among: 'true',
    message: 'the partner has another custom field with this key',
  },
];
