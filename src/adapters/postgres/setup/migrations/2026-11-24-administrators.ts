/** Two questions about the whole service that a change of a person asks from within its tenant. */

export const QUESTIONS_OF_THE_WHOLE = {
  name: '2026-11-24 administrators',
  sql: `
  create function is_email_taken(folded text) returns boolean language plpgsql as $$
    declare
      scope text := current_setting('app.scope', true);
      answer boolean;
    begin
      perform set_config('app.scope', 'system', true);
      answer := exists (select 1 from app_user where email_lc = folded and status = 'active');
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
`,
} as const;
