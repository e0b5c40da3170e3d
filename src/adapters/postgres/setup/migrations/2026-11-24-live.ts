/** Watched filters with their members and changes (`schema/live.ts`). */

export const LIVE = {
  name: '2026-11-24 live',
  sql: `
  create type mark_kind as enum ('changed', 'moved', 'deleted');
  create type membership_change_type as enum ('entered', 'left', 'degraded', 'recovered');
  create type membership_cause as enum ('device', 'time', 'filter', 'deleted', 'moved');

  create table live_organization (
    org_id uuid primary key references organization on delete cascade,
    evaluated_at timestamptz(3),
    silence interval,
    measured text[] not null default '{}',
    barrier xid8
  ) with (fillfactor = 50);
  comment on table live_organization is 'Organizations in which changed devices are marked';
  comment on column live_organization.silence is
    'A device that is heard again is marked only if its silence was as long as this; NULL: never';
  comment on column live_organization.measured is
    'Which of the columns that change with every heartbeat filters read';
  comment on column live_organization.barrier is
    'Transactions with a lower id may not have marked by the present rules; NULL until the next evaluation sets it';

  create table live_filter (
    filter_id uuid primary key,
    org_id uuid not null references organization on delete cascade,
    is_watched boolean not null default true,
    understood_as text,
    is_degraded boolean not null default false,
    is_interrupted boolean not null default false,
    is_unsettled boolean not null default false,
    filter_version integer not null default 0,
    seq bigint not null default 0,
    forgotten bigint not null default 0,
    evaluated_at timestamptz(3)
  ) with (fillfactor = 70);
  create index live_filter_org on live_filter (org_id);
  comment on table live_filter is 'The feeds of filters, which outlive their filters';
  comment on column live_filter.is_unsettled is
    'Whether devices may have changed without a mark during its last complete evaluation, which is then repeated';
  comment on column live_filter.seq is 'The number of its last change';
  comment on column live_filter.forgotten is 'Changes up to this number are no longer kept';
  comment on column live_filter.evaluated_at is 'NULL while it is that of the organization';

  create table live_member (
    filter_id uuid not null references live_filter on delete cascade,
    device_id uuid not null,
    org_id uuid not null,
    primary key (filter_id, device_id)
  );
  create index live_member_device on live_member (device_id);

  create table live_change (
    filter_id uuid not null references live_filter on delete cascade,
    seq bigint not null,
    org_id uuid not null,
    at timestamptz(3) not null,
    type membership_change_type not null,
    device_id uuid,
    hostname text,
    cause membership_cause,
    filter_version integer not null,
    primary key (filter_id, seq)
  );

  create table live_timer (
    filter_id uuid not null references live_filter on delete cascade,
    device_id uuid not null,
    org_id uuid not null,
    due timestamptz(3) not null,
    primary key (filter_id, device_id)
  );
  create index live_timer_due on live_timer (org_id, due);
  comment on table live_timer is 'When the answer of a filter for a device is looked at again because time has passed';

  create table live_mark (
    id bigint generated always as identity primary key,
    org_id uuid not null,
    device_id uuid,
    kind mark_kind not null,
    at timestamptz not null default clock_timestamp()
  );
  create index live_mark_org on live_mark (org_id);
  comment on table live_mark is
    'Devices that changed since the last evaluation; without a device: filters or custom fields did';

  create function mark_added_devices() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, device_id, kind)
      select n.org_id, n.id, 'changed' from added n join live_organization using (org_id);
      return null;
    end $$;
  create trigger mark_added_devices after insert on device referencing new table as added
    for each statement execute function mark_added_devices();

  create function mark_removed_devices() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, device_id, kind)
      select o.org_id, o.id, 'deleted' from removed o join live_organization using (org_id);
      return null;
    end $$;
  create trigger mark_removed_devices after delete on device referencing old table as removed
    for each statement execute function mark_removed_devices();

  create function mark_changed_device() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, device_id, kind)
      select org_id, new.id, case when old.org_id = new.org_id then 'changed' else 'moved' end::mark_kind
      from live_organization where org_id in (old.org_id, new.org_id);
      return null;
    end $$;
  create trigger mark_changed_device after update on device for each row
    when (old.org_id <> new.org_id or (old.hostname, old.display_name, old.status, old.agent_version, old.enrolled_at, old.tags, old.device_role, old.last_user, old.is_headless, old.watchdog_status, old.quarantined_at, old.site_id, old.last_seen_ip, old.pending_patches, old.patches_reported, old.critical_alerts, old.reboot_required, old.os_type, old.os_version, old.os_build, old.architecture, old.custom) is distinct from (new.hostname, new.display_name, new.status, new.agent_version, new.enrolled_at, new.tags, new.device_role, new.last_user, new.is_headless, new.watchdog_status, new.quarantined_at, new.site_id, new.last_seen_ip, new.pending_patches, new.patches_reported, new.critical_alerts, new.reboot_required, new.os_type, new.os_version, new.os_build, new.architecture, new.custom)) execute function mark_changed_device();

  create function mark_measured_device() returns trigger language plpgsql as $$
    begin
      if exists (
        select from live_organization l
        where l.org_id = new.org_id and l.measured <> '{}' and (
          ('cpu_percent' = any(l.measured) and old.cpu_percent is distinct from new.cpu_percent) or
          ('ram_percent' = any(l.measured) and old.ram_percent is distinct from new.ram_percent) or
          ('disk_percent' = any(l.measured) and old.disk_percent is distinct from new.disk_percent) or
          ('uptime_seconds' = any(l.measured) and old.uptime_seconds is distinct from new.uptime_seconds))
      ) then
        insert into live_mark (org_id, device_id, kind) values (new.org_id, new.id, 'changed');
      end if;
      return null;
    end $$;
  create trigger mark_measured_device after update on device for each row
    when ((old.cpu_percent, old.ram_percent, old.disk_percent, old.uptime_seconds) is distinct from (new.cpu_percent, new.ram_percent, new.disk_percent, new.uptime_seconds)) execute function mark_measured_device();

  create function mark_heard_device() returns trigger language plpgsql as $$
    begin
      if exists (
        select from live_organization l
        where l.org_id = new.org_id and l.silence is not null and not coalesce(
          new.last_seen_at >= old.last_seen_at and old.last_seen_at > l.evaluated_at - l.silence, false)
      ) then
        insert into live_mark (org_id, device_id, kind) values (new.org_id, new.id, 'changed');
      end if;
      return null;
    end $$;
  create trigger mark_heard_device after update of last_seen_at on device_state for each row
    when (old.last_seen_at is distinct from new.last_seen_at) execute function mark_heard_device();

  create function mark_devices_of_parts() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, device_id, kind)
      select distinct c.org_id, c.device_id, 'changed'::mark_kind from changed c join live_organization using (org_id);
      return null;
    end $$;

  create trigger mark_at_insert after insert on device_hardware referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_update after update on device_hardware referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_delete after delete on device_hardware referencing old table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_insert after insert on device_network referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_update after update on device_network referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_delete after delete on device_network referencing old table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_insert after insert on device_software referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_update after update on device_software referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_delete after delete on device_software referencing old table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_insert after insert on patch referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_update after update on patch referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();
  create trigger mark_at_delete after delete on patch referencing old table as changed
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();

  create function mark_custom_field() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, kind)
      select l.org_id, 'changed' from live_organization l join organization g on g.id = l.org_id
      where g.id in (old.org_id, new.org_id) or g.partner_id in (old.partner_id, new.partner_id);
      return null;
    end $$;
  create trigger mark_custom_field after insert or update or delete on custom_field
    for each row execute function mark_custom_field();

  create function mark_edited_filter() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, kind)
      select org_id, 'changed' from live_filter where filter_id = new.id and is_watched;
      return null;
    end $$;
  create trigger mark_edited_filter after update on saved_filter for each row execute function mark_edited_filter();

  create function end_feed() returns trigger language plpgsql as $$
    begin
      update live_filter f set is_watched = false, is_interrupted = true, evaluated_at = coalesce(
        f.evaluated_at, (select l.evaluated_at from live_organization l where l.org_id = f.org_id))
      where f.filter_id = old.id and f.is_watched;
      delete from live_timer where filter_id = old.id;
      return null;
    end $$;
  create trigger end_feed after delete on saved_filter for each row execute function end_feed();
`,
} as const;
