/** Devices remember the serial numbers, UUIDs and MAC addresses that they were known by, and can be deleted. */

export const KNOWN_KEYS = {
  name: '2026-11-24 known keys',
  sql: `
  create type machine_key_kind as enum ('serial', 'uuid', 'mac');
  create table device_known_key (
    device_id uuid not null references device on delete cascade,
    org_id uuid not null,
    kind machine_key_kind not null,
    key text collate "C" not null,
    primary key (device_id, kind, key)
  );
  create index device_known_key_names on device_known_key (org_id, kind, key);
  comment on table device_known_key is
    'Serial numbers, UUIDs and MAC addresses, in normal form, that a device was known by before or that it got in a merge';

  create trigger refuse_removal_in_maintenance before delete on device
    for each row execute function refuse_in_maintenance();
`,
} as const;
