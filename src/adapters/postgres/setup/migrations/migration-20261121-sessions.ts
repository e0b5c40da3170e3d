/**
 * Sessions with their refresh tokens, second factors, and the counters of rate limits. Tokens and codes are stored as
 * SHA-256 digests, TOTP secrets encrypted; counters have hashed keys, so that they contain no email or address.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261121Sessions extends Migration {
  override name = 'Migration20261121Sessions';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `alter table app_user
    add column mfa_epoch integer not null default 1,
    add column last_totp_step integer`,
  `create table session (
    id uuid primary key,
    user_id uuid not null references app_user on delete cascade,
    auth_epoch integer not null,
    mfa_verified_at timestamptz(3),
    mfa_epoch integer,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    check ((mfa_verified_at is null) = (mfa_epoch is null))
  )`,
  'create index session_owner on session (user_id)',
  `create table refresh_token (
    token_sha256 text collate "C" primary key,
    session_id uuid not null references session on delete cascade,
    created_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  'create index refresh_token_session on refresh_token (session_id)',
  `create table mfa_enrollment (
    user_id uuid primary key references app_user on delete cascade,
    totp_secret text not null,
    started_at timestamptz(3) not null
  )`,
  `create table recovery_code (
    user_id uuid not null references app_user on delete cascade,
    code_sha256 text collate "C" not null,
    primary key (user_id, code_sha256)
  )`,
  `create table rate_limit (
    key text collate "C" primary key,
    points integer not null,
    expires_at timestamptz(3) not null
  )`,
  'create index rate_limit_expiry on rate_limit (expires_at)',
];
