/**
 * Mails about the protection of an account, and an index for removing sessions that can be forgotten, whoever's they
 * are.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122AccountProtection extends Migration {
  override name = 'Migration20261122AccountProtection';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'create index session_over on session ((coalesce(ended_at, expires_at)))',
  'alter table mail_outbox drop constraint mail_outbox_kind_check',
  `alter table mail_outbox add constraint mail_outbox_kind_check check (kind in (
    'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
    'mfa-enrolled', 'recovery-code-used', 'api-key-created', 'api-key-revoked'))`,
];
