/** People get a mail when the operator removes their second factor. */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122OperatorResets extends Migration {
  override name = 'Migration20261122OperatorResets';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'alter table mail_outbox drop constraint mail_outbox_kind_check',
  `alter table mail_outbox add constraint mail_outbox_kind_check check (kind in (
    'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
    'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
    'password-changed', 'recovery-codes-renewed', 'mfa-removed'))`,
];
