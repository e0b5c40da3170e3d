/** Agents make contact between reports. A contact changes `last_seen_at` in the narrow row alone. */

export const PRESENCE = {
  name: '2026-11-24 presence',
  sql: `
  alter table device add column makes_contact boolean not null default false;
  alter table device add column inventoried_at timestamptz(3);
  comment on column device.last_seen_at is
    'As a load or report last set it; contacts of agents change only that of device_state, which is the one to read';
  comment on column device.makes_contact is
    'Whether the device was last heard of through an agent that makes contact between its reports';
  comment on column device.inventoried_at is
    'When its agent last sent the inventory that was due; null if it never did';
  comment on table device_state is
    'Of each device what changes as it reports, with the flags and words that filters ask for beside it; kept by triggers, except last_seen_at, which contacts of agents set';
  drop index device_reporting;
  create index device_reporting on device (id) where reports_since is not null or makes_contact;

  create or replace function keep_device_state() returns trigger language plpgsql as $$
    begin
      insert into device_state (id, org_id, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported, last_seen_at)
      select r.id, r.org_id, r.cpu_percent, r.ram_percent, r.disk_percent, r.uptime_seconds, r.enrolled_at, r.os_type, r.status, r.device_role, r.pending_patches, r.critical_alerts, r.reboot_required, r.patches_reported, r.last_seen_at from added r order by r.org_id, r.hostname_lc, r.id;
      return null;
    end $$;

  create or replace function change_device_state() returns trigger language plpgsql as $$
    begin
      update device_state set (org_id, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported) = row(new.org_id, new.cpu_percent, new.ram_percent, new.disk_percent, new.uptime_seconds, new.enrolled_at, new.os_type, new.status, new.device_role, new.pending_patches, new.critical_alerts, new.reboot_required, new.patches_reported) where id = old.id;
      return null;
    end $$;
  drop trigger change_device_state on device;
  create trigger change_device_state after update of org_id, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported on device for each row
    when ((old.org_id, old.cpu_percent, old.ram_percent, old.disk_percent, old.uptime_seconds, old.enrolled_at, old.os_type, old.status, old.device_role, old.pending_patches, old.critical_alerts, old.reboot_required, old.patches_reported) is distinct from (new.org_id, new.cpu_percent, new.ram_percent, new.disk_percent, new.uptime_seconds, new.enrolled_at, new.os_type, new.status, new.device_role, new.pending_patches, new.critical_alerts, new.reboot_required, new.patches_reported)) execute function change_device_state();

  create function give_last_seen() returns trigger language plpgsql as $$
    begin
      update device_state set last_seen_at = new.last_seen_at
      where id = old.id and last_seen_at is distinct from new.last_seen_at;
      return null;
    end $$;
  create trigger give_last_seen after update of last_seen_at on device for each row execute function give_last_seen();

  create table hearing (
    id boolean primary key default true check (id),
    heard_at timestamptz(3) not null,
    contacts_since timestamptz(3) not null,
    reports_since timestamptz(3) not null
  );
  comment on table hearing is
    'Since when machines could be heard without a break; nobody is silent who could not be heard';
`,
} as const;
