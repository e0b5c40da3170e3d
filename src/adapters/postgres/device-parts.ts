/** Tables and columns that store a device's data. A test compares both lists with the schema. */

/** A load replaces all rows of its devices in all of these tables; a report does so in some of them. */
export const PARTS_OF_DEVICES = [
  ...(['device_hardware', 'device_network', 'device_volume', 'device_software', 'patch'] as const),
];

/** The columns of `device` that a machine reports, except `reports_since`. */
export const REPORTED_COLUMNS = [
  ...['makes_contact', 'inventoried_at'],
  ...['device_role', 'pending_patches', 'patches_reported', 'reboot_required', 'os_type', 'architecture'],
  ...['cpu_percent', 'ram_percent', 'disk_percent', 'uptime_seconds', 'is_headless', 'watchdog_status'],
  ...['hostname', 'hostname_lc', 'last_user', 'last_user_lc', 'agent_version', 'agent_version_lc'],
  ...[
    'os_version',
    'os_version_lc',
    'os_version_key',
    'agent_version_key',
    'os_build',
    'os_build_lc',
    'last_seen_at',
    'last_seen_ip',
    'last_seen_ip_lc',
  ],
  'system_uuid',
];
