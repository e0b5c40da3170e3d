const sql = String.raw;

/**
 * Triggers that copy columns of `device` to a narrow table (see `NARROW_ROWS`). The columns in `first` are
 * copied only when a device is inserted.
 */
function keepNarrowRows(table: string, columns: readonly string[], first: readonly string[] = []): string {
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return sql`
  create function keep_${table}() returns trigger language plpgsql as $$
    begin
      insert into ${table} (id, ${[...columns, ...first].join(', ')})
      select r.id, ${[...columns, ...first].map((column) => `r.${column}`).join(', ')} from added r order by r.org_id, r.hostname_lc, r.id;
      return null;
    end $$;
  create trigger keep_${table} after insert on device referencing new table as added
    for each statement execute function keep_${table}();

  create function change_${table}() returns trigger language plpgsql as $$
    begin
      update ${table} set (${columns.join(', ')}) = row(${of('new')}) where id = old.id;
      return null;
    end $$;
  create trigger change_${table} after update of ${columns.join(', ')} on device for each row
    when ((${of('old')}) is distinct from (${of('new')})) execute function change_${table}();
`;
}

/**
 * Fires even if `device` already has the new value, because an agent's contact changes `last_seen_at` only in
 * `device_state`.
 */
const LAST_SEEN_GIVEN = sql`
  create function give_last_seen() returns trigger language plpgsql as $$
    begin
      update device_state set last_seen_at = new.last_seen_at
      where id = old.id and last_seen_at is distinct from new.last_seen_at;
      return null;
    end $$;
  create trigger give_last_seen after update of last_seen_at on device for each row execute function give_last_seen();
`;

const NARROW_ROWS_KEPT = [
  keepNarrowRows(
    'device_state',
    [
      ...['org_id', 'cpu_percent', 'ram_percent', 'disk_percent', 'uptime_seconds', 'enrolled_at'],
      ...['os_type', 'status', 'device_role', 'pending_patches', 'critical_alerts', 'reboot_required'],
      'patches_reported',
    ],
    ['last_seen_at'],
  ),
  LAST_SEEN_GIVEN,
  keepNarrowRows('device_names', ['org_id', 'status', 'hostname_lc', 'display_name', 'display_name_lc']),
].join('');

/** An open request moves with its user; a closed one stays in the tenant that decided it (Contract: §7). */
const OPEN_REQUESTS_MOVE = sql`
  create function move_open_deletion_request() returns trigger language plpgsql as $$
    begin
      update account_deletion_request set org_id = new.org_id, partner_id = new.partner_id
      where user_id = new.id and status in ('pending', 'processing');
      return null;
    end $$;
  create trigger move_open_deletion_request after update of org_id, partner_id on app_user for each row
    when ((old.org_id, old.partner_id) is distinct from (new.org_id, new.partner_id))
    execute function move_open_deletion_request();
`;

/** These functions look at all tenants, but their answers identify nobody. */
const QUESTIONS_OF_THE_WHOLE = sql`
  create function is_email_taken(folded text) returns boolean language plpgsql as $$
    declare
      scope text := current_setting('app.scope', true);
      answer boolean;
    begin
      perform set_config('app.scope', 'system', true);
      answer := exists (select 1 from app_user where email_lc = folded and status not in ('disabled', 'deleted'));
      perform set_config('app.scope', scope, true);
      return answer;
    end $$;

  create function administrator_roles_of_nobody_else(one uuid) returns text[] language plpgsql as $$
    declare
      scope text := current_setting('app.scope', true);
      answer text[];
    begin
      perform set_config('app.scope', 'system', true);
      answer := array(
        select role from (values ('platform-admin'), ('system-users-write')) r(role)
        where not exists (
          select 1 from app_user u
          where u.id <> one and u.status = 'active' and case role
            when 'platform-admin' then u.is_platform_admin
            else u.scope = 'system' and 'users:write' = any(u.permissions)
          end));
      perform set_config('app.scope', scope, true);
      return answer;
    end $$;
`;

/**
 * During maintenance, policies refuse most changes. Triggers refuse the others: deletions, which a policy
 * would skip without an error, and changes of certain columns, because sign-ins must still work. Triggers
 * ignore changes without a scope, so the owner of the database can remove partners that have moved.
 */
const MAINTENANCE = sql`
  create function refuse_in_maintenance() returns trigger language plpgsql as $$
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
    end $$;

  create trigger refuse_in_maintenance
    before insert or update of email, email_lc, name, password_hash, scope, org_id, partner_id, has_org_subset,
      permissions, is_platform_admin, totp_secret, status, mfa_epoch, password_epoch
    on app_user for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or update or delete on api_key
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or update or delete on mfa_enrollment
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or delete on recovery_code
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or delete on passkey
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on identity_provider
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or delete on federated_identity
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on saved_filter
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on custom_field
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert on account_link for each row
    when (new.purpose = 'invitation') execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on organization
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before delete on site
    for each row execute function refuse_in_maintenance();
  create trigger refuse_removal_in_maintenance before delete on device
    for each row execute function refuse_in_maintenance();
  -- The policy checks only the organization that a device moves to. This trigger also checks the one that it
  -- leaves.
  create trigger refuse_in_maintenance before update of org_id on device for each row
    when (old.org_id is distinct from new.org_id) execute function refuse_in_maintenance();
`;

/**
 * Regular expressions take letters, digits and case from this collation. With the locale C, `\w` would be
 * only ASCII. PostgreSQL has a builtin C.UTF-8 since version 17. For older versions, most systems provide
 * one. If not, ICU comes close.
 */
export const COLLATIONS = sql`
  do $$ begin
    if current_setting('server_version_num')::int >= 170000 then
      create collation patterns (provider = builtin, locale = 'C.UTF-8');
    else
      begin
        create collation patterns (provider = libc, locale = 'C.UTF-8');
      exception when others then
        create collation patterns (provider = icu, locale = 'und');
      end;
    end if;
  end $$;
  comment on collation patterns is
    'Letters, digits and case in regular expressions, whatever the locale of the database';
`;

export const FUNCTIONS = [NARROW_ROWS_KEPT, OPEN_REQUESTS_MOVE, QUESTIONS_OF_THE_WHOLE, MAINTENANCE].join('');
