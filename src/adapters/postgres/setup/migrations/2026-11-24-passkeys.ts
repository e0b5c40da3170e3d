/** Passkeys, and when a session last proved who its person is. */

export const PASSKEYS = {
  name: '2026-11-24 passkeys',
  sql: `
  alter table session add column proven_at timestamptz(3);

  create table passkey (
    id uuid primary key,
    user_id uuid not null references app_user on delete cascade,
    credential_id text collate "C" not null unique,
    public_key text not null,
    counter bigint not null,
    transports text[] not null,
    name text not null,
    is_backed_up boolean not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  );
  alter table passkey
    alter column credential_id set statistics 0,
    alter column public_key set statistics 0,
    alter column name set statistics 0;
  create index passkey_user on passkey (user_id);
  create trigger refuse_in_maintenance before insert or delete on passkey
    for each row execute function refuse_in_maintenance();

  alter table mail_outbox drop constraint mail_outbox_kind_check,
    add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed'));
`,
} as const;
