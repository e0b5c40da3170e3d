/** Mails about many wrong codes of the second factor. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122CodesGuessed extends Migration {
  override name = 'Migration20261122CodesGuessed';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'alter table mail_outbox drop constraint mail_outbox_kind_check',
  `alter table mail_outbox add constraint mail_outbox_kind_check check (kind in (
    'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
    'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked'))`,
];
