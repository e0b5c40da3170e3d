/** Identity providers of organizations and partners, their domains, and whom they sign in. */

export const IDENTITY_PROVIDERS = {
  name: '2026-11-24 identity providers',
  sql: `
  create table identity_provider (
    id uuid primary key,
    org_id uuid references organization on delete cascade,
    partner_id uuid references partner on delete cascade,
    name text not null,
    issuer text not null,
    client_id text not null,
    client_secret text,
    provisions boolean not null,
    permissions text[] not null,
    groups_claim text,
    groups jsonb not null,
    trusts_mfa boolean not null,
    acr_values jsonb not null,
    created_at timestamptz(3) not null,
    check ((org_id is null) <> (partner_id is null))
  );
  alter table identity_provider alter column client_secret set statistics 0;
  create index identity_provider_org on identity_provider (org_id);
  create index identity_provider_partner on identity_provider (partner_id);

  create table identity_provider_domain (
    provider_id uuid not null references identity_provider on delete cascade,
    domain text collate "C" not null,
    is_verified boolean not null,
    primary key (provider_id, domain)
  );
  create unique index identity_provider_domain_verified on identity_provider_domain (domain) where is_verified;

  create table federated_identity (
    provider_id uuid not null references identity_provider on delete cascade,
    subject text collate "C" not null,
    user_id uuid not null references app_user on delete cascade,
    is_made boolean not null,
    created_at timestamptz(3) not null,
    last_sign_in_at timestamptz(3),
    primary key (provider_id, subject),
    unique (provider_id, user_id)
  );
  alter table federated_identity alter column subject set statistics 0;
  create index federated_identity_user on federated_identity (user_id);

  alter table mail_outbox drop constraint mail_outbox_kind_check,
    add constraint mail_outbox_kind_check check (kind in (
      'deletion-review', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset',
      'provider-linked', 'provider-unlinked', 'provider-gone'));

  create trigger refuse_in_maintenance before delete on identity_provider
    for each row execute function refuse_in_maintenance();
  create trigger refuse_in_maintenance before insert or delete on federated_identity
    for each row execute function refuse_in_maintenance();
`,
} as const;
