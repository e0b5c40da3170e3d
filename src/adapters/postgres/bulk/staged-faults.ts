/** Checks a staged fleet as a whole: dangling references, duplicate ids, and ids that belong to another owner. */
import type { PoolClient } from 'pg';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import type { FleetTable } from './fleet-tables.ts';
import { WRITTEN_TABLES } from './write-ahead.ts';

/** A query for faults: rows of (line, member, message). */
type Check = string;

/** The faults of the data itself in line order, at most `MAX_FAULTS`. */
export async function findStagedFaults(client: PoolClient): Promise<readonly FleetFault[]> {
  const faults: FleetFault[] = [];
  for (const check of CHECKS) {
    const { rows } = await client.query<FleetFault>(`${check} limit ${MAX_FAULTS}`);
    faults.push(...rows);
  }
  // Two checks can find the same mistake; the first says it best.
  const places = new Map(faults.toReversed().map((fault) => [`${fault.line} ${fault.member}`, fault]));
  return [...places.values()].sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

const REFERENCES: readonly {
  readonly from: FleetTable;
  readonly column: string;
  readonly member: string;
  readonly to: FleetTable;
  readonly what: string;
}[] = [
  { from: 'organization', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'site', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'app_user', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'app_user', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'api_key', column: 'user_id', member: '.userId', to: 'app_user', what: 'user' },
  { from: 'api_key', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'custom_field', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'custom_field', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'device', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'script', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'script', column: 'partner_id', member: '.partnerId', to: 'partner', what: 'partner' },
  { from: 'alert', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'saved_filter', column: 'org_id', member: '.orgId', to: 'organization', what: 'organization' },
  { from: 'saved_filter', column: 'created_by', member: '.createdBy', to: 'app_user', what: 'user' },
];

/** References that must stay within the organization. */
const SAME_ORGANIZATION: readonly {
  readonly from: FleetTable;
  readonly column: string;
  readonly member: string;
  readonly to: FleetTable;
  readonly what: string;
}[] = [
  { from: 'device', column: 'site_id', member: '.siteId', to: 'site', what: 'site' },
  { from: 'alert', column: 'device_id', member: '.deviceId', to: 'device', what: 'device' },
];

const WITH_ID: readonly FleetTable[] = [
  'partner',
  'organization',
  'site',
  'app_user',
  'api_key',
  'custom_field',
  'device',
  'patch',
  'script',
  'alert',
  'saved_filter',
];

/** Rows that never change owner: no other organization or partner can take over their id. */
const KEEP_OWNER: readonly { readonly table: FleetTable; readonly owner: string }[] = [
  { table: 'site', owner: 'org_id' },
  { table: 'device', owner: 'org_id' },
  { table: 'patch', owner: 'device_id' },
  { table: 'alert', owner: 'org_id' },
  { table: 'saved_filter', owner: 'org_id' },
  { table: 'custom_field', owner: 'org_id' },
  { table: 'custom_field', owner: 'partner_id' },
  { table: 'script', owner: 'org_id' },
  { table: 'script', owner: 'partner_id' },
  { table: 'api_key', owner: 'user_id' },
];

/** Values that must be unique. */
const UNIQUE: readonly {
  readonly table: FleetTable;
  readonly columns: readonly string[];
  readonly member: string;
  readonly among: string;
  readonly message: string;
}[] = [
  {
    table: 'app_user',
    columns: ['email_lc'],
    member: '.email',
    among: `t.status = 'active'`,
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

/** The rows of the file, with those that are written already. */
function allOf(table: FleetTable): string {
  return WRITTEN_TABLES.includes(table)
    ? `(select line, member, id from staged_${table} union all select line, member, id from written_${table}) a`
    : `staged_${table}`;
}

const CHECKS: readonly Check[] = [
  ...WITH_ID.map(
    (table) =>
      `select line, member || '.id' as member, 'an earlier record of the file has this id' as message
       from (select line, member, row_number() over (partition by id order by line, member) as n from ${allOf(table)}) s
       where n > 1`,
  ),
  ...REFERENCES.map(
    ({ from, column, member, to, what }) =>
      `select s.line, s.member || '${member}' as member, 'there is no ${what} ' || s.${column} as message
       from staged_${from} s
       where s.${column} is not null
         and not exists (select 1 from staged_${to} t where t.id = s.${column})
         and not exists (select 1 from ${to} t where t.id = s.${column})`,
  ),
  ...SAME_ORGANIZATION.map(
    ({ from, column, member, to, what }) =>
      `select s.line, s.member || '${member}' as member,
         'the organization has no ${what} ' || s.${column} as message
       from staged_${from} s
       where s.${column} is not null
         and not exists (select 1 from staged_${to} t where t.id = s.${column} and t.org_id = s.org_id)
         and not exists (select 1 from ${to} t where t.id = s.${column} and t.org_id = s.org_id)`,
  ),
  // A user's subset is limited to organizations of their own partner, as the load leaves them.
  `select s.line, s.member, 'the user''s partner has no organization ' || s.org_id as message
   from staged_app_user_organization s join staged_app_user u on u.id = s.user_id
   where not exists (select 1 from staged_organization o where o.id = s.org_id and o.partner_id = u.partner_id)
     and not exists (select 1 from organization o where o.id = s.org_id and o.partner_id = u.partner_id
                       and not exists (select 1 from staged_organization t where t.id = o.id))`,
  ...KEEP_OWNER.map(
    ({ table, owner }) =>
      `select s.line, s.member || '.id' as member, 'the id belongs to another owner' as message
       from staged_${table} s join ${table} t on t.id = s.id
       where t.${owner} is distinct from s.${owner}`,
  ),
  ...UNIQUE.flatMap(({ table, columns, member, among, message }) => {
    const same = (other: string) => columns.map((column) => `${other}.${column} = s.${column}`).join(' and ');
    return [
      `select s.line, s.member || '${member}' as member, '${message}' as message
       from staged_${table} s join ${table} t on ${same('t')} and ${among} and t.id <> s.id
       where not exists (select 1 from staged_${table} r where r.id = t.id)`,
      `select s.line, s.member || '${member}' as member, '${message}' as message
       from staged_${table} s
       where exists (select 1 from staged_${table} o
                     where ${same('o')} and o.id <> s.id and (o.line, o.member) < (s.line, s.member))`,
    ];
  }),
];
