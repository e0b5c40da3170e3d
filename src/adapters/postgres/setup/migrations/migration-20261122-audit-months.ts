/**
 * The audit log by month of `at` (UTC), so that retention drops tables instead of deleting rows. The months are in a
 * schema that the service's roles may not use: they reach entries through audit_log and its policies only. What
 * belongs to a month without a table goes into `rest`, so that no entry is ever refused.
 *
 * Each index ends with (at, id), the reading order, so that a page by any filter is read in order, and one without a
 * match is found empty at once.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122AuditMonths extends Migration {
  override name = 'Migration20261122AuditMonths';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const COLUMNS =
  'id, at, actor_type, actor_id, org_id, partner_id, action, result, resource_type, resource_id, details, request_id, ip';

const STATEMENTS: readonly string[] = [
  'create schema audit_months',
  'alter table audit_log set schema audit_months',
  'alter table audit_months.audit_log rename to former',
  // Policies that are already in force also apply to the owner.
  'alter table audit_months.former no force row level security',
  `create table audit_log (
    id uuid not null,
    at timestamptz(3) not null,
    actor_type text not null check (actor_type in ('user', 'api_key', 'system')),
    actor_id uuid,
    org_id uuid,
    partner_id uuid,
    action text not null,
    result text not null check (result in ('success', 'denied')),
    resource_type text not null,
    resource_id uuid,
    details jsonb not null,
    request_id text not null,
    ip text
  ) partition by range (at)`,
  'create table audit_months.rest partition of audit_log default',
  `do $$ declare month timestamptz; begin
     for month in select distinct date_trunc('month', at, 'UTC') from audit_months.former loop
       execute format('create table audit_months.%I partition of audit_log for values from (%L) to (%L)',
         to_char(month at time zone 'UTC', '"m_"YYYY_MM'), month, month + interval '1 month');
     end loop;
   end $$`,
  `insert into audit_log (${COLUMNS}) select ${COLUMNS} from audit_months.former`,
  'drop table audit_months.former',
  'alter table audit_log add primary key (id, at)',
  'create index audit_log_at on audit_log (at, id)',
  'create index audit_log_org on audit_log (org_id, at, id)',
  'create index audit_log_staff on audit_log (partner_id, at, id) where org_id is null and partner_id is not null',
  'create index audit_log_action on audit_log (action, org_id, at, id)',
  'create index audit_log_actor on audit_log (actor_id, at, id) where actor_id is not null',
  'create index audit_log_resource on audit_log (resource_id, at, id) where resource_id is not null',
];
