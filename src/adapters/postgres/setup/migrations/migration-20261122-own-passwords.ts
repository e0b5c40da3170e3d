/**
 * People change their own passwords, which voids checks of the one before, and renew their recovery codes; they get a
 * mail about both.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122OwnPasswords extends Migration {
  override name = 'Migration20261122OwnPasswords';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'alter table app_user add column password_epoch integer not null default 1',
  'alter table mail_outbox drop constraint mail_outbox_kind_check',
  `alter table mail_outbox add constraint mail_outbox_kind_check check (kind in (
    'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
    'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
    'password-changed', 'recovery-codes-renewed'))`,
];
