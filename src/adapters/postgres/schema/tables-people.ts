/**
 * `statistics 0` keeps names, secrets and free text out of the planner's samples, which could outlive an erased user.
 * Secrets are stored as SHA-256 digests or encrypted.
 */
const sql = String.raw;

export const TENANTS = sql`
  create table partner (
    id uuid primary key,
    name text not null
  );

  create table organization (
    id uuid primary key,
    partner_id uuid not null references partner,
    name text not null
  );

  create table site (
    id uuid primary key,
    org_id uuid not null references organization,
    name text not null
  );

  create table maintenance (
    owner_id uuid primary key,
    partner_id uuid not null references partner on delete cascade,
    since timestamptz(3) not null
  );
  comment on table maintenance is 'The ids of partners under maintenance, and of each of their organizations';
`;

export const PEOPLE = sql`
  create type access_scope as enum ('organization', 'partner', 'system');
  create type user_status as enum ('invited', 'active', 'disabled', 'deleted');

  create table app_user (
    id uuid primary key,
    email text not null,
    email_lc text collate "C" not null,
    name text not null,
    password_hash text,
    scope access_scope not null,
    org_id uuid references organization,
    partner_id uuid references partner,
    has_org_subset boolean not null default false,
    permissions text[] not null default '{}',
    is_platform_admin boolean not null default false,
    totp_secret text,
    status user_status not null default 'active',
    auth_epoch integer not null default 1,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    mfa_epoch integer not null default 1,
    last_totp_step integer,
    password_epoch integer not null default 1,
    check ((scope = 'organization') = (org_id is not null)),
    check ((scope = 'partner') = (partner_id is not null))
  );
  alter table app_user
    alter column email set statistics 0,
    alter column email_lc set statistics 0,
    alter column name set statistics 0,
    alter column password_hash set statistics 0,
    alter column totp_secret set statistics 0;

  create table app_user_organization (
    user_id uuid not null references app_user on delete cascade,
    org_id uuid not null references organization,
    primary key (user_id, org_id)
  );

  create table api_key (
    id uuid primary key,
    key_sha256 text collate "C" not null unique,
    user_id uuid not null references app_user on delete cascade,
    name text not null,
    org_id uuid references organization,
    permissions text[] not null default '{}',
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null
  );
  alter table api_key alter column key_sha256 set statistics 0, alter column name set statistics 0;

  create table enrolment_key (
    id uuid primary key,
    key_sha256 text collate "C" not null unique,
    org_id uuid not null references organization,
    site_id uuid references site,
    name text not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null
  );
`;

export const SIGNING_IN = sql`
  create table signing_key (
    kid text primary key,
    private_jwk text not null,
    created_at timestamptz(3) not null
  );

  -- The canary is a known text that is sealed with the key.
  create table sealing_key (
    key_id text collate "C" primary key,
    canary text not null
  );

  create table session (
    id uuid primary key,
    user_id uuid not null references app_user on delete cascade,
    auth_epoch integer not null,
    mfa_verified_at timestamptz(3),
    mfa_epoch integer,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    last_used_at timestamptz(3) not null,
    ip text check (length(ip) <= 64),
    user_agent text check (length(user_agent) <= 256),
    proven_at timestamptz(3),
    check ((mfa_verified_at is null) = (mfa_epoch is null))
  );
  alter table session alter column ip set statistics 0, alter column user_agent set statistics 0;

  -- If a cookie that was just replaced is used again, its successor is derived from it and the salt.
  create table refresh_token (
    token_sha256 text collate "C" primary key,
    session_id uuid not null references session on delete cascade,
    created_at timestamptz(3) not null,
    used_at timestamptz(3),
    salt text
  );
  alter table refresh_token alter column token_sha256 set statistics 0, alter column salt set statistics 0;

  create table mfa_enrollment (
    user_id uuid primary key references app_user on delete cascade,
    totp_secret text not null,
    started_at timestamptz(3) not null
  );
  alter table mfa_enrollment alter column totp_secret set statistics 0;

  create table recovery_code (
    user_id uuid not null references app_user on delete cascade,
    code_sha256 text collate "C" not null,
    primary key (user_id, code_sha256)
  );
  alter table recovery_code alter column code_sha256 set statistics 0;

  -- WebAuthn credentials, in base64url.
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

  -- Identity providers. The issuer never changes. A secret is null if it was lost with its key.
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

  -- A domain leads to a provider once it is verified. A domain can be verified for only one provider.
  create table identity_provider_domain (
    provider_id uuid not null references identity_provider on delete cascade,
    domain text collate "C" not null,
    is_verified boolean not null,
    primary key (provider_id, domain)
  );

  -- A user's account at a provider. If is_made, the provider created the user and decides about their rights.
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

  -- Networks (IPv4 /24 or IPv6 /64) that a user signed in from. Strangers on other networks cannot use up the
  -- user's attempts.
  create table own_network (
    user_id uuid not null references app_user on delete cascade,
    network text collate "C" not null,
    last_at timestamptz(3) not null,
    primary key (user_id, network)
  );

  -- Links of invitations, password resets and the first run. A reset is void once an epoch of its user has
  -- changed.
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

  -- The user is null if nobody has the email. No foreign key, because its check would reveal accounts by timing.
  create table password_reset_request (
    id uuid primary key,
    user_id uuid,
    requested_at timestamptz(3) not null
  );

  -- Keys are hashed, so they contain no address. Attempts are in epoch milliseconds, oldest first.
  create table rate_limit (
    key text collate "C" primary key,
    expires_at timestamptz(3) not null,
    attempts bigint[] not null,
    is_refusing boolean not null
  );
`;

/** The checks repeat the state machine: they say which columns each state has. */
export const DELETION_REQUESTS = sql`
  create type deletion_status as enum ('pending', 'processing', 'completed', 'cancelled');

  create table account_deletion_request (
    id uuid primary key,
    user_id uuid not null references app_user on delete cascade,
    org_id uuid references organization,
    partner_id uuid references partner,
    reason text,
    status deletion_status not null,
    requested_at timestamptz(3) not null,
    process_by timestamptz(3) not null,
    processed_at timestamptz(3),
    processed_by uuid,
    admin_note text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    erasure_failures integer not null default 0,
    erasure_problem text,
    next_erasure_at timestamptz(3),
    reminded_at timestamptz(3),
    check (process_by = requested_at + interval '2592000 seconds'),
    check ((processed_at is null) = (processed_by is null)),
    check (status <> 'pending' or processed_at is null),
    check (status not in ('processing', 'completed') or processed_at is not null),
    check (admin_note is null or processed_at is not null),
    check (status <> 'completed' or (reason is null and admin_note is null))
  );
  alter table account_deletion_request
    alter column reason set statistics 0,
    alter column admin_note set statistics 0;
  comment on column account_deletion_request.partner_id is
    'Whose own staff the user is, where the user is of no organization';
  comment on column account_deletion_request.processed_by is
    'May name a person of the embedding program, who has no row here';
  comment on column account_deletion_request.next_erasure_at is
    'Set where the erasure has failed: it is not tried again before';
  comment on column account_deletion_request.reminded_at is
    'When the administrators were reminded, which happens once';
`;

/** Address, name and facts of a mail are deleted when it is sent or withdrawn. The ids stay. */
export const MAIL = sql`
  create table mail_outbox (
    id uuid primary key,
    kind text not null check (kind in (
      'deletion-review', 'deletion-reminder', 'deletion-approved', 'deletion-rejected', 'deletion-completed',
      'mfa-enrolled', 'recovery-code-used', 'codes-guessed', 'api-key-created', 'api-key-revoked',
      'password-changed', 'recovery-codes-renewed', 'mfa-removed', 'passkey-added', 'passkey-removed',
      'invitation', 'password-reset-link', 'password-reset',
      'provider-linked', 'provider-unlinked', 'provider-gone',
      'filter-changes', 'filter-count', 'webhook-paused')),
    request_id uuid not null,
    user_id uuid not null references app_user on delete cascade,
    about_user_id uuid not null references app_user on delete cascade,
    status text not null check (status in ('queued', 'sent', 'failed', 'withdrawn')),
    email text,
    name text,
    facts jsonb,
    queued_at timestamptz(3) not null,
    trying_since timestamptz(3) not null,
    attempts integer not null,
    next_attempt_at timestamptz(3),
    claim uuid,
    settled_at timestamptz(3),
    problem text,
    copies_due boolean not null default false,
    secret text,
    unique (kind, request_id, user_id),
    check ((status in ('queued', 'failed')) = (email is not null)),
    check ((email is null) = (facts is null)),
    check (email is not null or name is null),
    check ((status = 'queued') = (next_attempt_at is not null)),
    check ((status = 'queued') = (settled_at is null)),
    constraint mail_outbox_copies_due_check check (not copies_due or status in ('sent', 'withdrawn')),
    constraint mail_outbox_secret_check check (email is not null or secret is null)
  );
  alter table mail_outbox
    alter column email set statistics 0,
    alter column name set statistics 0,
    alter column facts set statistics 0,
    alter column secret set statistics 0;
  comment on column mail_outbox.next_attempt_at is
    'While the mail is claimed, when the claim runs out: its worker must have died by then';
  comment on column mail_outbox.secret is 'The sealed token of a link';
  comment on column mail_outbox.copies_due is 'Whether the copies that a sender kept are to be removed';
`;

/**
 * Partitioned by month of `at` (UTC), so retention drops whole tables. The service's roles reach entries only through
 * the policies of `audit_log`. Entries of a month without a table go into `rest`, so none is refused.
 */
export const AUDIT_LOG = sql`
  create schema audit_months;

  create table audit_log (
    id uuid not null,
    at timestamptz(3) not null,
    actor_type text not null check (actor_type in ('user', 'api_key', 'enrolment_key', 'identity_provider', 'system')),
    actor_id uuid,
    org_id uuid,
    partner_id uuid,
    action text not null,
    result text not null check (result in ('success', 'denied')),
    resource_type text not null,
    resource_id uuid,
    details jsonb not null,
    request_id text not null,
    ip text,
    primary key (id, at)
  ) partition by range (at);

  create table audit_months.rest partition of audit_log default;
`;

/** `mikro_orm_migrations` keeps its name from the first version. */
export const SERVICE = sql`
  create table mikro_orm_migrations (
    id serial primary key,
    name varchar(255) not null,
    executed_at timestamptz(6) not null default current_timestamp(6)
  );

  create table service_secret (
    name text primary key,
    value text not null
  );
`;
