/**
 * An open deletion request belongs where its person belongs now (Contract: §7): whoever moves a person moves it along,
 * in the same transaction. Closed requests stay where they were decided.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122OpenRequests extends Migration {
  override name = 'Migration20261122OpenRequests';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const TABLES = ['app_user', 'account_deletion_request'];

const STATEMENTS: readonly string[] = [
  `create function move_open_deletion_request() returns trigger language plpgsql as $$
   begin
     update account_deletion_request set org_id = new.org_id, partner_id = new.partner_id
     where user_id = new.id and status in ('pending', 'processing');
     return null;
   end $$`,
  `create trigger move_open_deletion_request after update of org_id, partner_id on app_user for each row
   when ((old.org_id, old.partner_id) is distinct from (new.org_id, new.partner_id))
   execute function move_open_deletion_request()`,
  // Policies that are already in force also apply to the owner.
  ...TABLES.map((table) => `alter table ${table} no force row level security`),
  `update account_deletion_request r set org_id = u.org_id, partner_id = u.partner_id from app_user u
   where u.id = r.user_id and r.status in ('pending', 'processing')
     and (r.org_id, r.partner_id) is distinct from (u.org_id, u.partner_id)`,
  ...TABLES.map((table) => `alter table ${table} force row level security`),
];
