/**
 * Texts that are compared without regard to case have a folded copy `_lc`, which is NULL if folding changes nothing.
 * The service folds, so matches do not depend on the server's locale.
 */
const sql = String.raw;

export const FLEET_TYPES = sql`
  create type device_status as enum
    ('online', 'offline', 'maintenance', 'decommissioned', 'quarantined', 'updating', 'pending');
  create type device_role as enum
    ('workstation', 'server', 'printer', 'router', 'switch', 'firewall', 'access_point', 'phone', 'iot', 'camera',
     'nas', 'unknown');
  create type os_type as enum ('windows', 'macos', 'linux');
  create type architecture as enum ('x64', 'x86', 'arm64');
  create type watchdog_status as enum ('connected', 'failover', 'offline');
  create type patch_status as enum ('pending', 'installed', 'failed');
  create type alert_severity as enum ('critical', 'high', 'medium', 'low', 'info');
  create type alert_status as enum ('active', 'acknowledged', 'resolved');
  create type machine_key_kind as enum ('serial', 'uuid', 'mac');
  create type custom_field_type as enum ('text', 'number', 'boolean', 'dropdown', 'date');
`;

/**
 * Rows of `device` are narrow, with scanned columns of fixed width first. Columns that change all the time
 * are in no index, so reports are HOT updates; the fill factor leaves room for them.
 */
export const DEVICES = sql`
  create table custom_field (
    id uuid primary key,
    org_id uuid references organization,
    partner_id uuid references partner,
    key text collate "C" not null,
    label text not null,
    type custom_field_type not null,
    choices text[] not null default '{}',
    check (num_nonnulls(org_id, partner_id) = 1)
  );

  create table device (
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
    tags text[] not null default '{}',
    custom jsonb,
    custom_derived jsonb,
    system_uuid text collate "C",
    reports_since timestamptz(3),
    patches_reported boolean not null default false,
    makes_contact boolean not null default false,
    inventoried_at timestamptz(3),
    agent_version_key text collate "C",
    os_version_key text collate "C",
    rollout_bucket smallint generated always as (
      mod(('x' || substr(sha256(id::text::bytea)::text, 3, 8))::bit(32)::bigint, 100)::smallint
    ) stored
  ) with (fillfactor = 85);
  comment on column device.custom_derived is
    'What is worked out from custom values when they are written: lc = folded texts that differ, at = the instants of those that are dates, in epoch milliseconds';
  comment on column device.system_uuid is 'As machines are told apart by it; null where it says nothing';
  comment on column device.reports_since is
    'When the device first reported by itself; null if it was loaded or imported only';
  comment on column device.patches_reported is 'Whether patches were ever reported, if only that there are none';
  comment on column device.last_seen_at is
    'As a load or report last set it; contacts of agents change only that of device_state, which is the one to read';
  comment on column device.makes_contact is
    'Whether the device was last heard of through an agent that makes contact between its reports';
  comment on column device.agent_version_key is 'Versions are compared by keys; null if the text has no version';
  comment on column device.rollout_bucket is
    'The first four bytes of the SHA-256 of the id, big-endian, modulo 100';
  comment on column device.inventoried_at is
    'When its agent last sent the inventory that was due; null if it never did';

  -- Clones share the inventoryId of their original, so it can belong to several devices.
  create table device_inventory_id (
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    inventory_id text collate "C" not null,
    primary key (device_id, inventory_id)
  );
  comment on table device_inventory_id is 'Every deviceid that the inventories of a device have had';

  create table device_known_key (
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    kind machine_key_kind not null,
    key text collate "C" not null,
    primary key (device_id, kind, key)
  );
  comment on table device_known_key is
    'Serial numbers, UUIDs and MAC addresses, in normal form, that a device was known by before or that it got in a merge';
`;

/**
 * Most filters read only these tables, in half the time of scanning `device`. Only `device_state` has the
 * current `last_seen_at`, so an agent's contact writes one narrow row.
 */
export const NARROW_ROWS = sql`
  create table device_state (
    id uuid primary key references device on delete cascade,
    org_id uuid not null,
    last_seen_at timestamptz(3),
    cpu_percent double precision,
    ram_percent double precision,
    disk_percent double precision,
    uptime_seconds double precision,
    enrolled_at timestamptz(3),
    os_type os_type,
    status device_status not null,
    device_role device_role not null,
    pending_patches integer not null,
    critical_alerts integer not null,
    reboot_required boolean not null,
    patches_reported boolean not null default false
  ) with (fillfactor = 85);
  comment on table device_state is
    'Of each device what changes as it reports, with the flags and words that filters ask for beside it; kept by triggers, except last_seen_at, which contacts of agents set';

  create table device_names (
    id uuid primary key references device on delete cascade,
    org_id uuid not null,
    status device_status not null,
    hostname_lc text collate "C" not null,
    display_name text,
    display_name_lc text collate "C"
  ) with (fillfactor = 85);
  comment on table device_names is 'Of each device what it is called, with its status; kept by triggers';
`;

/**
 * A single row tells since when workers have run without interruption. A short interruption resets only
 * `contacts_since`, a long one also `reports_since`.
 */
export const HEARING = sql`
  create table hearing (
    id boolean primary key default true check (id),
    heard_at timestamptz(3) not null,
    contacts_since timestamptz(3) not null,
    reports_since timestamptz(3) not null
  );
  comment on table hearing is
    'Since when machines could be heard without a break; nobody is silent who could not be heard';
`;

/** These tables have no foreign key to the organization: their device has one, and each key slows down loads. */
export const DEVICE_PARTS = sql`
  create table device_hardware (
    device_id uuid primary key references device on delete cascade,
    org_id uuid not null,
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
  );

  create table device_network (
    device_id uuid not null references device on delete cascade,
    position integer not null,
    org_id uuid not null,
    ip_address text,
    ip_address_lc text collate "C",
    public_ip text,
    public_ip_lc text collate "C",
    mac_address text,
    mac_address_lc text collate "C",
    primary key (device_id, position)
  );

  create table device_volume (
    device_id uuid not null references device on delete cascade,
    position integer not null,
    org_id uuid not null,
    name text not null,
    filesystem text,
    total_gb double precision,
    free_gb double precision,
    primary key (device_id, position)
  );

  create table software_title (
    id integer generated always as identity primary key,
    name text collate "C" not null,
    name_lc text collate "C" not null,
    -- A hash, because names may be too long for a B-tree.
    constraint software_title_name exclude using hash (name with =)
  );

  -- Ids are negative, so titles and versions fit into one set for each device.
  create table software_version (
    id integer primary key generated always as identity (increment by -1 start with -1),
    title_id integer not null references software_title on delete cascade,
    version text collate "C" not null,
    version_key text collate "C",
    -- A hash, because versions may be too long for a B-tree.
    constraint software_version_text exclude using hash ((title_id::text || ' ' || version) with =)
  );
  comment on table software_version is 'The versions of titles that devices have reported';
  comment on column software_version.version_key is
    'Versions are compared by keys; NULL where the text is no version';

  create table device_software (
    device_id uuid primary key references device on delete cascade,
    org_id uuid not null,
    title_ids integer[] not null
  );
  comment on table device_software is 'The titles and versions of a device as a set of ids';

  -- Look-ups read only this list, because timing among the titles of all tenants would reveal what others have.
  create table organization_software (
    title_id integer not null,
    org_id uuid not null,
    name_lc text collate "C",
    long_name_lc text collate "C",
    version_of integer,
    primary key (title_id, org_id)
  );
  comment on table organization_software is
    'The titles and versions that devices of an organization have; names are looked up among them';
  comment on column organization_software.version_of is 'The title of a version; NULL for a title';
  comment on column organization_software.name_lc is
    'NULL where the folded name has more than 2,000 bytes, and long_name_lc has it';

  create table patch (
    id uuid primary key,
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    title text collate "C" not null,
    status patch_status not null,
    is_repeat boolean not null default false,
    title_lc text collate "C"
  );
  comment on column patch.is_repeat is
    'Whether another row says the same of the device: the title in the status; counts of devices leave it out';
`;

export const SCRIPTS_ALERTS_FILTERS = sql`
  create table script (
    id uuid primary key,
    org_id uuid references organization,
    partner_id uuid references partner,
    name text not null,
    description text,
    name_lc text collate "C",
    description_lc text collate "C",
    check (num_nonnulls(org_id, partner_id) = 1)
  );

  create table alert (
    id uuid primary key,
    org_id uuid not null references organization,
    device_id uuid references device on delete cascade,
    severity alert_severity not null,
    status alert_status not null,
    title text not null,
    message text,
    title_lc text collate "C",
    message_lc text collate "C",
    created_at timestamptz(3) not null
  );

  create table saved_filter (
    id uuid primary key,
    org_id uuid references organization,
    name text not null,
    description text,
    conditions text not null,
    created_by uuid not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    version integer not null,
    partner_id uuid references partner,
    changed_by uuid,
    named uuid[] not null default '{}',
    check (num_nonnulls(org_id, partner_id) = 1)
  );
  comment on column saved_filter.named is 'The filters that the conditions name';
  comment on column saved_filter.created_by is 'May name a person of the embedding program, who has no row here';
  comment on column saved_filter.conditions is
    'JSON as text: json and jsonb stop at some eight thousand levels, a filter does not';

  create table filter_version (
    filter_id uuid not null references saved_filter on delete cascade,
    version integer not null,
    org_id uuid,
    partner_id uuid,
    name text not null,
    description text,
    conditions text not null,
    changed_by uuid,
    at timestamptz(3) not null,
    primary key (filter_id, version)
  );
  comment on table filter_version is 'Superseded versions of filters; the current one is in saved_filter';

  create function keep_filter_version() returns trigger language plpgsql as $$
    begin
      insert into filter_version (filter_id, version, org_id, partner_id, name, description, conditions, changed_by, at)
      values (old.id, old.version, old.org_id, old.partner_id, old.name, old.description, old.conditions,
        old.changed_by, old.updated_at);
      delete from filter_version where filter_id = old.id and version <= new.version - 100;
      return null;
    end $$;
  create trigger keep_filter_version after update on saved_filter for each row
    when (old.version <> new.version) execute function keep_filter_version();
`;

/** The values that bulk changes replaced, kept while they can be undone. */
export const BULK_CHANGES = sql`
  create table bulk_change (
    id uuid not null,
    org_id uuid not null references organization on delete cascade,
    actor_type text not null,
    actor_id uuid,
    expires_at timestamptz(3) not null,
    devices integer not null,
    primary key (id, org_id)
  );
  comment on table bulk_change is
    'Changes of many devices that can be undone, with a row for each organization; devices counts those not given back';

  create table bulk_changed_device (
    bulk_change_id uuid not null,
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    before jsonb not null,
    after jsonb not null,
    primary key (bulk_change_id, device_id),
    foreign key (bulk_change_id, org_id) references bulk_change on delete cascade
  );
`;
