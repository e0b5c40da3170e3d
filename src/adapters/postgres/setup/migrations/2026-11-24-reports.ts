/** Volumes of devices, whether patches were reported, and patches by title in any case. */

export const REPORTS_OF_MACHINES = {
  name: '2026-11-24 reports of machines',
  sql: `
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

  alter table device add column patches_reported boolean not null default false;
  comment on column device.patches_reported is 'Whether patches were ever reported, if only that there are none';
  alter table device_state add column patches_reported boolean not null default false;
  alter table patch add column title_lc text collate "C";

  -- Policies that are already in force also apply to the owner.
  alter table device no force row level security;
  alter table device_state no force row level security;
  alter table patch no force row level security;
  -- The service folds titles like this, but for some letters beyond ASCII; the next load of a device folds them all.
  update patch set title_lc = lower(title collate patterns) where title <> lower(title collate patterns);
  update device set patches_reported = true where id in (select device_id from patch);
  update device_state set patches_reported = true where id in (select device_id from patch);
  alter table device force row level security;
  alter table device_state force row level security;
  alter table patch force row level security;

  create index patch_titles on patch (coalesce(title_lc, title), status);

  create or replace function keep_device_state() returns trigger language plpgsql as $$
    begin
      insert into device_state (id, org_id, last_seen_at, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported)
      select r.id, r.org_id, r.last_seen_at, r.cpu_percent, r.ram_percent, r.disk_percent, r.uptime_seconds, r.enrolled_at, r.os_type, r.status, r.device_role, r.pending_patches, r.critical_alerts, r.reboot_required, r.patches_reported from added r order by r.org_id, r.hostname_lc, r.id;
      return null;
    end $$;
  create or replace function change_device_state() returns trigger language plpgsql as $$
    begin
      update device_state set (org_id, last_seen_at, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported) = row(new.org_id, new.last_seen_at, new.cpu_percent, new.ram_percent, new.disk_percent, new.uptime_seconds, new.enrolled_at, new.os_type, new.status, new.device_role, new.pending_patches, new.critical_alerts, new.reboot_required, new.patches_reported) where id = old.id;
      return null;
    end $$;
  drop trigger change_device_state on device;
  create trigger change_device_state after update of org_id, last_seen_at, cpu_percent, ram_percent, disk_percent, uptime_seconds, enrolled_at, os_type, status, device_role, pending_patches, critical_alerts, reboot_required, patches_reported on device for each row
    when ((old.org_id, old.last_seen_at, old.cpu_percent, old.ram_percent, old.disk_percent, old.uptime_seconds, old.enrolled_at, old.os_type, old.status, old.device_role, old.pending_patches, old.critical_alerts, old.reboot_required, old.patches_reported) is distinct from (new.org_id, new.last_seen_at, new.cpu_percent, new.ram_percent, new.disk_percent, new.uptime_seconds, new.enrolled_at, new.os_type, new.status, new.device_role, new.pending_patches, new.critical_alerts, new.reboot_required, new.patches_reported)) execute function change_device_state();
`,
} as const;
