/**
 * The first schema: tenants, people, devices with everything that filters see, saved filters, the audit log.
 *
 * The device row is narrow, with the scanned columns first and fixed in width; nothing volatile is indexed, so that
 * heartbeats are HOT updates. Each text that is compared without regard to case has a folded companion (`_lc`), which
 * the service folds itself and which is NULL if folding changes nothing; so matches do not depend on the server's
 * locale. `row-level-security.ts` has the policies of every table.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261120Fleet extends Migration {
  override name = 'Migration20261120Fleet';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  'create extension if not exists pg_trgm',
  `create type device_status as enum ('online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending')`,
  `create type device_role as enum ('workstation', 'server', 'printer', 'router', 'switch', 'firewall', 'access_point', 'phone', 'iot', 'camera', 'nas', 'unknown')`,
  `create type os_type as enum ('windows', 'macos', 'linux')`,
  `create type architecture as enum ('x64', 'x86', 'arm64')`,
  `create type watchdog_status as enum ('connected', 'failover', 'offline')`,
  `create type patch_status as enum ('pending', 'installed', 'failed')`,
  `create type alert_severity as enum ('critical', 'high', 'medium', 'low', 'info')`,
  `create type alert_status as enum ('active', 'acknowledged', 'resolved')`,
  `create type custom_field_type as enum ('text', 'number', 'boolean', 'dropdown', 'date')`,
  `create type access_scope as enum ('organization', 'partner', 'system')`,
  `create type user_status as enum ('active', 'disabled', 'deleted')`,

  'create table partner (id uuid primary key, name text not null)',
  `create table organization (
    id uuid primary key,
    partner_id uuid not null references partner,
    name text not null
  )`,
  'create index organization_partner on organization (partner_id)',
  `create table site (
    id uuid primary key,
    org_id uuid not null references organization,
    name text not null
  )`,
  'create index site_org on site (org_id)',

  `create table app_user (
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
    check ((scope = 'organization') = (org_id is not null)),
    check ((scope = 'partner') = (partner_id is not null))
  )`,
  `create unique index app_user_email on app_user (email_lc) where status = 'active'`,
  'create index app_user_org on app_user (org_id)',
  'create index app_user_partner on app_user (partner_id)',
  `create table app_user_organization (
    user_id uuid not null references app_user on delete cascade,
    org_id uuid not null references organization,
    primary key (user_id, org_id)
  )`,
  `create table api_key (
    id uuid primary key,
    key_sha256 text collate "C" not null unique,
    user_id uuid not null references app_user on delete cascade,
    name text not null,
    org_id uuid references organization,
    permissions text[] not null default '{}',
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    created_at timestamptz(3) not null
  )`,
  'create index api_key_user on api_key (user_id)',
  `create table signing_key (
    kid text primary key,
    private_jwk text not null,
    created_at timestamptz(3) not null
  )`,

  `create table custom_field (
    id uuid primary key,
    org_id uuid references organization,
    partner_id uuid references partner,
    key text collate "C" not null,
    label text not null,
    type custom_field_type not null,
    choices text[] not null default '{}',
    check (num_nonnulls(org_id, partner_id) = 1)
  )`,
  'create unique index custom_field_org_key on custom_field (org_id, key)',
  'create unique index custom_field_partner_key on custom_field (partner_id, key)',

  `create table device (
    id uuid primary key,
    org_id uuid not null references organization,
    status device_status not null,
    device_role device_role not null,
    pending_patches integer not null default 0,
    critical_alerts integer not null default 0,
    reboot_required boolean not null default false,
    os_type os_type,
    last_seen_at timestamptz(3),
    enrolled_at timestamptz(3),
    cpu_percent double precision,
    ram_percent double precision,
    disk_percent double precision,
    uptime_seconds double precision,
    is_headless boolean,
    architecture architecture,
    watchdog_status watchdog_status,
    quarantined_at timestamptz(3),
    site_id uuid references site,
    hostname_lc text collate "C" not null,
    hostname text not null,
    display_name text,
    display_name_lc text collate "C",
    last_user text,
    last_user_lc text collate "C",
    agent_version text,
    agent_version_lc text collate "C",
    os_version text,
    os_version_lc text collate "C",
    os_build text,
    os_build_lc text collate "C",
    last_seen_ip text,
    last_seen_ip_lc text collate "C",
    inventory_id text collate "C",
    tags text[] not null default '{}',
    custom jsonb,
    custom_derived jsonb
  ) with (fillfactor = 85)`,
  `comment on column device.custom_derived is
    'What is worked out from custom values when they are written: lc = folded texts that differ, at = the instants of those that are dates, in epoch milliseconds'`,
  'create index device_order on device (hostname_lc, id)',
  'create index device_org_order on device (org_id, hostname_lc, id)',
  'create index device_enums on device (status, os_type, device_role, org_id)',
  'create index device_pending_patches on device (org_id) where pending_patches > 0',
  'create index device_critical_alerts on device (org_id) where critical_alerts > 0',
  'create index device_reboot_required on device (org_id) where reboot_required',
  'create unique index device_inventory on device (org_id, inventory_id) where inventory_id is not null',
  'create index device_site on device (site_id) where site_id is not null',
  // With pending lists, an occasional read would pay for many earlier writes.
  'create index device_tags on device using gin (tags) with (fastupdate = off)',
  'create index device_hostname_trgm on device using gin (hostname gin_trgm_ops) with (fastupdate = off)',
  'create index device_hostname_lc_trgm on device using gin (hostname_lc gin_trgm_ops) with (fastupdate = off)',

  `create table device_hardware (
    device_id uuid primary key references device on delete cascade,
    org_id uuid not null references organization,
    cpu_cores double precision,
    ram_total_mb double precision,
    disk_total_gb double precision,
    manufacturer text,
    manufacturer_lc text collate "C",
    model text,
    model_lc text collate "C",
    serial_number text,
    serial_number_lc text collate "C",
    cpu_model text,
    cpu_model_lc text collate "C",
    gpu_model text,
    gpu_model_lc text collate "C"
  )`,
  'create index device_hardware_org on device_hardware (org_id)',
  'create index device_hardware_serial on device_hardware (serial_number)',
  `create table device_network (
    device_id uuid not null references device on delete cascade,
    position integer not null,
    org_id uuid not null references organization,
    ip_address text,
    ip_address_lc text collate "C",
    public_ip text,
    public_ip_lc text collate "C",
    mac_address text,
    mac_address_lc text collate "C",
    primary key (device_id, position)
  )`,
  'create index device_network_ip on device_network (ip_address)',
  'create index device_network_public_ip on device_network (public_ip)',
  'create index device_network_mac on device_network (mac_address)',
  `create table software_title (
    id integer generated always as identity primary key,
    name text collate "C" not null unique,
    name_lc text collate "C" not null
  )`,
  'create index software_title_trgm on software_title using gin (name_lc gin_trgm_ops)',
  'create index software_title_lc on software_title (name_lc)',
  `create table device_software (
    device_id uuid primary key references device on delete cascade,
    org_id uuid not null references organization,
    title_ids integer[] not null,
    versions text[] not null
  )`,
  `comment on table device_software is
    'The titles of a device as a set of ids, and beside it their versions in the same order (NULL where not known)'`,
  'create index device_software_org on device_software (org_id)',
  'create index device_software_titles on device_software using gin (title_ids) with (fastupdate = off)',
  `create table patch (
    id uuid primary key,
    device_id uuid not null references device on delete cascade,
    org_id uuid not null references organization,
    title text not null,
    status patch_status not null
  )`,
  'create index patch_device on patch (device_id)',
  `create table script (
    id uuid primary key,
    org_id uuid references organization,
    partner_id uuid references partner,
    name text not null,
    description text,
    check (num_nonnulls(org_id, partner_id) = 1)
  )`,
  'create index script_org on script (org_id)',
  'create index script_partner on script (partner_id)',
  `create table alert (
    id uuid primary key,
    org_id uuid not null references organization,
    device_id uuid references device on delete cascade,
    severity alert_severity not null,
    status alert_status not null,
    title text not null,
    message text
  )`,
  'create index alert_org on alert (org_id)',
  'create index alert_device on alert (device_id)',

  `create table saved_filter (
    id uuid primary key,
    org_id uuid not null references organization,
    name text not null,
    description text,
    conditions text not null,
    created_by uuid not null references app_user,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    version integer not null
  )`,
  `comment on column saved_filter.conditions is
    'JSON as text: json and jsonb stop at some eight thousand levels, a filter does not'`,
  'create index saved_filter_org_newest on saved_filter (org_id, created_at desc, id desc)',

  `create table audit_log (
    id uuid primary key,
    at timestamptz(3) not null,
    actor_type text not null check (actor_type in ('user', 'api_key', 'system')),
    actor_id uuid,
    org_id uuid,
    partner_id uuid,
    action text not null,
    result text not null check (result in ('success', 'denied')),
    resource_type text not null,
    resource_id uuid,
    details jsonb not null,
    request_id text not null,
    ip text
  )`,
  'create index audit_log_org on audit_log (org_id, at)',
  'create index audit_log_at on audit_log (at)',

  `create table service_secret (name text primary key, value text not null)`,
];
