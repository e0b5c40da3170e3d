/**
 * The planner's statistics keep samples of values until the next ANALYZE, so they would outlive a person who is
 * erased. None are kept of what people are called, what they wrote, and their secrets: these columns are compared by
 * unique indexes or not at all. `alter type` to the same type drops the samples that exist, without a rewrite.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122NoStatistics extends Migration {
  override name = 'Migration20261122NoStatistics';

  override up(): void {
    for (const [table, columns] of Object.entries(PERSONAL)) {
      for (const [column, type] of Object.entries(columns)) {
        this.addSql(`alter table ${table} alter column ${column} set statistics 0`);
        this.addSql(`alter table ${table} alter column ${column} type ${type}`);
      }
    }
  }
}

const BYTEWISE = 'text collate "C"';

/** The columns with the types that they have. */
const PERSONAL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  app_user: { email: 'text', email_lc: BYTEWISE, name: 'text', password_hash: 'text', totp_secret: 'text' },
  account_deletion_request: { reason: 'text', admin_note: 'text' },
  mail_outbox: { email: 'text', name: 'text', facts: 'jsonb' },
  api_key: { name: 'text', key_sha256: BYTEWISE },
  mfa_enrollment: { totp_secret: 'text' },
  recovery_code: { code_sha256: BYTEWISE },
  refresh_token: { token_sha256: BYTEWISE },
};
