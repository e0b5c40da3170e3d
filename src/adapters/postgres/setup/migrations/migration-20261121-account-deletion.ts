/**
 * Requests to delete accounts (Spec: Account deletion request). Constraints back the state machine: a user has at
 * most one request that is pending or approved, and each state has exactly the columns that belong to it.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261121AccountDeletion extends Migration {
  override name = 'Migration20261121AccountDeletion';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `create type deletion_status as enum ('pending', 'processing', 'completed', 'cancelled')`,
  `create table account_deletion_request (
    id uuid primary key,
    user_id uuid not null references app_user on delete cascade,
    org_id uuid references organization,
    partner_id uuid references partner,
    reason text,
    status deletion_status not null,
    requested_at timestamptz(3) not null,
    process_by timestamptz(3) not null,
    processed_at timestamptz(3),
    processed_by uuid references app_user,
    admin_note text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    erasure_failures integer not null default 0,
    erasure_problem text,
    next_erasure_at timestamptz(3),
    check (process_by = requested_at + interval '2592000 seconds'),
    check ((processed_at is null) = (processed_by is null)),
    check (status <> 'pending' or processed_at is null),
    check (status not in ('processing', 'completed') or processed_at is not null),
    check (admin_note is null or processed_at is not null),
    check (status <> 'completed' or (reason is null and admin_note is null))
  )`,
  `comment on column account_deletion_request.partner_id is
    'Whose own staff the user is, where the user is of no organization'`,
  `comment on column account_deletion_request.next_erasure_at is
    'Set where the erasure has failed: it is not tried again before'`,
  `create unique index account_deletion_request_open on account_deletion_request (user_id)
    where status in ('pending', 'processing')`,
  'create index account_deletion_request_user on account_deletion_request (user_id, requested_at desc)',
  'create index account_deletion_request_newest on account_deletion_request (requested_at desc, id desc)',
  `create index account_deletion_request_org_newest
    on account_deletion_request (org_id, requested_at desc, id desc)`,
  `create index account_deletion_request_due on account_deletion_request (process_by)
    where status = 'processing'`,
  'create index account_deletion_request_processed_by on account_deletion_request (processed_by)',
  'create index audit_log_resource on audit_log (resource_id, at) where resource_id is not null',
];
