/**
 * The outbox. The ids of a mail's recipient and subject stay; address, name and facts are kept only until the mail is
 * sent or withdrawn.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261121Mail extends Migration {
  override name = 'Migration20261121Mail';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `create table mail_outbox (
    id uuid primary key,
    kind text not null check (kind in ('deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed')),
    request_id uuid not null,
    user_id uuid not null references app_user on delete cascade,
    about_user_id uuid not null references app_user on delete cascade,
    status text not null check (status in ('queued', 'sent', 'failed', 'withdrawn')),
    email text,
    name text,
    facts jsonb,
    queued_at timestamptz(3) not null,
    trying_since timestamptz(3) not null,
    attempts integer not null,
    next_attempt_at timestamptz(3),
    claim uuid,
    settled_at timestamptz(3),
    problem text,
    unique (kind, request_id, user_id),
    check ((status in ('queued', 'failed')) = (email is not null)),
    check ((email is null) = (facts is null)),
    check (email is not null or name is null),
    check ((status = 'queued') = (next_attempt_at is not null)),
    check ((status = 'queued') = (settled_at is null))
  )`,
  `comment on column mail_outbox.next_attempt_at is
    'While the mail is claimed, when the claim runs out: its worker must have died by then'`,
  `create index mail_outbox_due on mail_outbox (next_attempt_at, id) where status = 'queued'`,
  `create index mail_outbox_failed on mail_outbox (settled_at) where status = 'failed'`,
  'create index mail_outbox_newest on mail_outbox (queued_at, id)',
  'create index mail_outbox_user on mail_outbox (user_id)',
  'create index mail_outbox_about on mail_outbox (about_user_id)',
];
