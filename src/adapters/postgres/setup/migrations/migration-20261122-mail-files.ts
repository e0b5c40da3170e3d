/**
 * Copies of mails that a sender kept, such as files, are removed when the mail is withdrawn or a person whom it is to
 * or about is erased. Mails that were forgotten before are due as well.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122MailFiles extends Migration {
  override name = 'Migration20261122MailFiles';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `alter table mail_outbox add column copies_due boolean not null default false,
    add constraint mail_outbox_copies_due_check check (not copies_due or status in ('sent', 'withdrawn'))`,
  `comment on column mail_outbox.copies_due is 'Whether the copies that a sender kept are to be removed'`,
  `update mail_outbox m set copies_due = true
   where m.status = 'withdrawn'
      or m.status = 'sent' and m.kind <> 'deletion-completed'
         and exists (select 1 from app_user u where u.id in (m.user_id, m.about_user_id) and u.status = 'deleted')`,
  'create index mail_outbox_copies_due on mail_outbox (settled_at, id) where copies_due',
];
