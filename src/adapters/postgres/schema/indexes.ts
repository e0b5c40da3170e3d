/** All indexes except those for searches (`search.ts`, `search-blocks.ts`). */
const sql = String.raw;

/**
 * A digest of a name that ignores case and surrounding white space (see `isSameName`). The name itself may be
 * too long for an index.
 */
export const NAME_KEY = (name: string) =>
  sql`md5(lower(btrim(${name}, U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF') collate patterns))`;

const OF_PEOPLE = sql`
  create index organization_partner on organization (partner_id);
  create index site_org on site (org_id);
  create unique index partner_name on partner ((${NAME_KEY('name')}));
  create unique index organization_name on organization (partner_id, (${NAME_KEY('name')}));
  create unique index site_name on site (org_id, (${NAME_KEY('name')}));

  create unique index app_user_email on app_user (email_lc) where status not in ('disabled', 'deleted');
  create index app_user_org on app_user (org_id);
  create index app_user_partner on app_user (partner_id);
  create index passkey_user on passkey (user_id);
  create index identity_provider_org on identity_provider (org_id);
  create index identity_provider_partner on identity_provider (partner_id);
  create unique index identity_provider_domain_verified on identity_provider_domain (domain) where is_verified;
  create index federated_identity_user on federated_identity (user_id);
  create index api_key_user on api_key (user_id);
  create index enrolment_key_org on enrolment_key (org_id, created_at);

  create index session_owner on session (user_id);
  create index account_link_user on account_link (user_id);
  create index account_link_expiry on account_link (expires_at);
  create index session_over on session (coalesce(ended_at, expires_at));
  create index refresh_token_session on refresh_token (session_id);
  create index rate_limit_expiry on rate_limit (expires_at);

  create unique index account_deletion_request_open on account_deletion_request (user_id)
    where status in ('pending', 'processing');
  create index account_deletion_request_user on account_deletion_request (user_id, requested_at desc);
  create index account_deletion_request_newest on account_deletion_request (requested_at desc, id desc);
  create index account_deletion_request_org_newest on account_deletion_request (org_id, requested_at desc, id desc);
  create index account_deletion_request_due on account_deletion_request (process_by) where status = 'processing';
  create index account_deletion_request_to_remind on account_deletion_request (process_by)
    where status = 'pending' and reminded_at is null;
  create index account_deletion_request_processed_by on account_deletion_request (processed_by);

  create index mail_outbox_due on mail_outbox (next_attempt_at, id) where status = 'queued';
  create index mail_outbox_failed on mail_outbox (settled_at) where status = 'failed';
  create index mail_outbox_copies_due on mail_outbox (settled_at, id) where copies_due;
  create index mail_outbox_newest on mail_outbox (queued_at, id);
  create index mail_outbox_user on mail_outbox (user_id);
  create index mail_outbox_about on mail_outbox (about_user_id);
`;

/** Each index ends in page order, (at, id), so a filtered page needs no sort, and an empty page needs no scan. */
const OF_AUDIT_LOG = sql`
  create index audit_log_at on audit_log (at, id);
  create index audit_log_org on audit_log (org_id, at, id);
  create index audit_log_staff on audit_log (partner_id, at, id) where org_id is null and partner_id is not null;
  create index audit_log_action on audit_log (action, org_id, at, id);
  create index audit_log_actor on audit_log (actor_id, at, id) where actor_id is not null;
  create index audit_log_resource on audit_log (resource_id, at, id) where resource_id is not null;
`;

/** The service sorts by the first 200 characters of a name, because two such texts always fit into an index entry. */
const NAME = 'left(coalesce(display_name_lc, display_name collate "C"), 200)';
const HOSTNAME = 'left(hostname_lc, 200)';

/**
 * Indexes in page order include the host name as written, because patterns are matched against it. The index
 * of a rare flag also has the more common flags, so it finds devices with two flags.
 */
const OF_DEVICES = sql`
  create unique index custom_field_org_key on custom_field (org_id, key);
  create unique index custom_field_partner_key on custom_field (partner_id, key);

  create index device_order on device (hostname_lc, id) include (hostname);
  create index device_org_order on device (org_id, hostname_lc, id) include (hostname);
  create index device_display_name on device ((${NAME}), (${HOSTNAME}));
  create index device_org_display_name on device (org_id, (${NAME}), (${HOSTNAME}));
  create index device_enums on device (status, os_type, device_role, org_id);
  create index device_critical_alerts on device (org_id, pending_patches, reboot_required) where critical_alerts > 0;
  create index device_critical_alerts_order on device (hostname_lc, id) where critical_alerts > 0;
  create index device_reboot_required on device (org_id, pending_patches) where reboot_required;
  create index device_pending_patches on device (org_id) where pending_patches > 0;
  create index device_site on device (site_id) where site_id is not null;
  create index device_tags on device using gin (tags);
  create index device_hostname_trgm on device using gin (hostname collate patterns gin_trgm_ops);
  create index device_hostname_lc_trgm on device using gin (hostname_lc gin_trgm_ops);
  create index device_system_uuid on device (org_id, system_uuid) where system_uuid is not null;
  create index device_reporting on device (id) where reports_since is not null or makes_contact;
  create index device_inventory_id_names on device_inventory_id (org_id, inventory_id);
  create index device_known_key_names on device_known_key (org_id, kind, key);

  create index device_state_org on device_state (org_id, status, os_type, device_role);
  create index device_state_enums on device_state (status, os_type, device_role, org_id);
  create index device_state_status on device_state (status);
  create index device_state_critical_alerts
    on device_state (org_id, pending_patches, reboot_required, status, os_type, device_role) where critical_alerts > 0;
  create index device_state_reboot_required
    on device_state (org_id, pending_patches, status, os_type, device_role) where reboot_required;
  create index device_state_pending_patches
    on device_state (org_id, status, os_type, device_role) where pending_patches > 0;
  create index device_names_org on device_names (org_id);

  create index device_hardware_org on device_hardware (org_id);
  create index device_hardware_serial on device_hardware (serial_number);
  -- PostgreSQL would not use a single index on coalesce(serial_number_lc, serial_number) under the policies.
  create index device_hardware_serial_lc on device_hardware (org_id, serial_number_lc)
    where serial_number_lc is not null;
  create index device_network_ip on device_network (ip_address);
  create index device_network_public_ip on device_network (public_ip);
  create index device_network_mac on device_network (mac_address);
  create index software_title_lc on software_title using hash (name_lc);
  create index software_title_trgm on software_title using gin (name_lc gin_trgm_ops);
  create index device_software_org on device_software (org_id);
  create index device_software_titles on device_software using gin (title_ids);
  create index software_version_title on software_version (title_id);
  create index organization_software_names on organization_software (org_id, name_lc, title_id) where version_of is null;
  create index organization_software_versions on organization_software (org_id, version_of, title_id)
    where version_of is not null;
  create index patch_device on patch (device_id);
  create index patch_org_titles on patch (org_id, title, status) where not is_repeat;
  create index patch_titles on patch (coalesce(title_lc, title), status);
`;

/** The keys of alerts include status and severity, so alerts that do not match are skipped within the index. */
const OF_SCRIPTS_ALERTS_FILTERS = sql`
  create index script_org on script (org_id);
  create index script_partner on script (partner_id);
  create index alert_device on alert (device_id);
  create index alert_newest on alert (created_at, id, org_id, status, severity);
  create index alert_org_newest on alert (org_id, created_at, id, status, severity);
  create index alert_urgent on alert (org_id, severity)
    where status = 'active' and severity in ('critical', 'high');
  create index saved_filter_org_newest on saved_filter (org_id, created_at desc, id desc);
  create index saved_filter_partner on saved_filter (partner_id);
  create index saved_filter_named on saved_filter using gin (named) where named <> '{}';
`;

/** The second and third indexes are for the removal of organizations and devices. */
const OF_BULK_CHANGES = sql`
  create index bulk_change_expiry on bulk_change (expires_at);
  create index bulk_change_org on bulk_change (org_id);
  create index bulk_changed_device_device on bulk_changed_device (device_id);
`;

export const INDEXES = [OF_PEOPLE, OF_AUDIT_LOG, OF_DEVICES, OF_SCRIPTS_ALERTS_FILTERS, OF_BULK_CHANGES].join(
  '',
);
