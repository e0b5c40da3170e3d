/**
 * Partners under maintenance: the partner and each of its organizations. What is theirs can be read and not changed;
 * policies see to that (`row-level-security.ts`), and triggers where not all of a row counts, as a sign-in is no change.
 *
 * The owner of the database is not held up, who removes a partner that has moved: it works without a scope.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122Maintenance extends Migration {
  override name = 'Migration20261122Maintenance';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** All that a sign-in does not touch. */
const ACCOUNT = [
  ...['email', 'email_lc', 'name', 'password_hash', 'scope', 'org_id', 'partner_id', 'has_org_subset'],
  ...['permissions', 'is_platform_admin', 'totp_secret', 'status', 'mfa_epoch', 'password_epoch'],
];

const REFUSED: Readonly<Record<string, string>> = {
  app_user: `insert or update of ${ACCOUNT.join(', ')}`,
  api_key: 'insert or update or delete',
  mfa_enrollment: 'insert or update or delete',
  recovery_code: 'insert or delete',
  // Policies refuse what is written; what is removed they would pass over.
  saved_filter: 'delete',
  custom_field: 'delete',
};

const STATEMENTS: readonly string[] = [
  `create table maintenance (
    owner_id uuid primary key,
    partner_id uuid not null references partner on delete cascade,
    since timestamptz(3) not null
  )`,
  `comment on table maintenance is 'The ids of partners under maintenance, and of each of their organizations'`,
  `create function refuse_in_maintenance() returns trigger language plpgsql as $$
   declare
     owners uuid[];
   begin
     if exists (select 1 from maintenance) and coalesce(current_setting('app.scope', true), '') <> '' then
       select array_agg(owner) into owners
       from unnest(array[to_jsonb(old), to_jsonb(new)]) changed
       left join app_user u on u.id = (changed ->> 'user_id')::uuid
       cross join unnest(array[
         (changed ->> 'org_id')::uuid, (changed ->> 'partner_id')::uuid, u.org_id, u.partner_id
       ]) owner;
       if exists (select 1 from maintenance where owner_id = any(owners)) then
         raise exception 'a partner is in maintenance' using errcode = 'FM001';
       end if;
     end if;
     if tg_op = 'DELETE' then return old; end if;
     return new;
   end $$`,
  // To another organization, whose own policy asks for where the device goes.
  `create trigger refuse_in_maintenance before update of org_id on device for each row
   when (old.org_id is distinct from new.org_id) execute function refuse_in_maintenance()`,
  ...Object.entries(REFUSED).map(
    ([table, changes]) =>
      `create trigger refuse_in_maintenance before ${changes} on ${table} for each row
       execute function refuse_in_maintenance()`,
  ),
];
