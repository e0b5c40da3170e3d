/** People are invited, and set a new password by a link. */

// A new value of an enum cannot be used in the transaction that adds it, so the index names the other values.
export const INVITATIONS = {
  name: '2026-11-24 invitations',
  sql: `
  alter type user_status add value 'invited' before 'active';
  drop index app_user_email;
  create unique index app_user_email on app_user (email_lc) where status not in ('disabled', 'deleted');

  create or replace function is_email_taken(folded text) returns boolean language plpgsql as $$
    declare
      scope text := current_setting('app.scope', true);
      answer boolean;
    begin
      perform set_config('app.scope', 'system', true);
      answer := exists (select 1 from app_user where email_lc = folded and status not in ('disabled', 'deleted'));
      perform set_config('app.scope', scope, true);
      return answer;
    end $$;

  create table account_link (
    token_sha256 text collate "C" primary key,
    purpose text not null check (purpose in ('invitation', 'password-reset', 'first-run')),
    user_id uuid references app_user on delete cascade,
    auth_epoch integer,
    password_epoch integer,
    mfa_epoch integer,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    check ((purpose = 'first-run') = (user_id is null)),
    check ((purpose = 'password-reset') = (auth_epoch is not null)),
    check ((auth_epoch is null) = (password_epoch is null)),
    check ((auth_epoch is null) = (mfa_epoch is null))
  );
  alter table account_link alter column token_sha256 set statistics 0;
  create index account_link_user on account_link (user_id);
  create index account_link_expiry on account_link (expires_at);

  create table password_reset_request (
    id uuid primary key,
    user_id uuid,
    requested_at timestamptz(3) not null
  );

  alter table mail_outbox drop constraint mail_outbox_kind_check,
    add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset')),
    add column secret text,
    add constraint mail_outbox_secret_check check (email is not null or secret is null);
  alter table mail_outbox alter column secret set statistics 0;
  comment on column mail_outbox.secret is 'The sealed token of a link';
`,
} as const;
