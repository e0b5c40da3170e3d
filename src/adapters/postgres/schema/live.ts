/**
 * Watched filters with their members and changes, and the triggers that mark changed devices. Marks are never updated,
 * so writers never wait for an evaluation.
 */
const sql = String.raw;

const LIVE_TABLES = sql`
  create type mark_kind as enum ('changed', 'moved', 'deleted');
  create type membership_change_type as enum ('entered', 'left', 'degraded', 'recovered');
  create type membership_cause as enum ('device', 'time', 'filter', 'deleted', 'moved');

  create table live_partner (
    partner_id uuid primary key references partner on delete cascade,
    evaluated_at timestamptz(3) not null,
    revision uuid
  ) with (fillfactor = 50);
  comment on table live_partner is 'The last evaluation of the filters of a partner and its organizations';
  comment on column live_partner.revision is
    'Names the evaluation that last read the filters, and left none that has to be repeated';

  create table live_organization (
    org_id uuid primary key references organization on delete cascade,
    evaluated_at timestamptz(3),
    silence interval,
    measured text[] not null default '{}',
    barrier xid8
  ) with (fillfactor = 50);
  comment on table live_organization is 'Organizations in which changed devices are marked';
  comment on column live_organization.evaluated_at is 'When one of its devices was last looked at';
  comment on column live_organization.silence is
    'A device that is heard again is marked only if its silence was as long as this; NULL: never';
  comment on column live_organization.measured is
    'Which of the columns that change with every heartbeat filters read';
  comment on column live_organization.barrier is
    'Transactions with a lower id may not have marked by the present rules; NULL until the next evaluation sets it';

  create table live_filter (
    filter_id uuid primary key,
    org_id uuid references organization on delete cascade,
    is_watched boolean not null default true,
    understood_as text,
    is_degraded boolean not null default false,
    is_interrupted boolean not null default false,
    is_unsettled boolean not null default false,
    filter_version integer not null default 0,
    seq bigint not null default 0,
    forgotten bigint not null default 0,
    evaluated_at timestamptz(3),
    partner_id uuid references partner on delete cascade,
    check (num_nonnulls(org_id, partner_id) = 1)
  ) with (fillfactor = 70);
  create index live_filter_org on live_filter (org_id);
  create index live_filter_partner on live_filter (partner_id);
  create index live_filter_unsettled on live_filter (filter_id) where is_unsettled;
  comment on table live_filter is 'The feeds of filters, which outlive their filters';
  comment on column live_filter.is_unsettled is
    'Whether devices may have changed without a mark during its last complete evaluation, which is then repeated';
  comment on column live_filter.seq is 'The number of its last change';
  comment on column live_filter.forgotten is 'Changes up to this number are no longer kept';
  comment on column live_filter.evaluated_at is 'NULL while it is that of the partner';

  create table live_member (
    filter_id uuid not null references live_filter on delete cascade,
    device_id uuid not null,
    org_id uuid,
    since timestamptz(3),
    partner_id uuid,
    primary key (filter_id, device_id)
  );
  comment on table live_member is 'Here and below, organization or partner are those of the filter';
  create index live_member_device on live_member (device_id);
  comment on column live_member.since is 'When it entered or was first a member; NULL if it was one before this was kept';

  create table live_change (
    filter_id uuid not null references live_filter on delete cascade,
    seq bigint not null,
    org_id uuid,
    at timestamptz(3) not null,
    type membership_change_type not null,
    device_id uuid,
    hostname text,
    cause membership_cause,
    filter_version integer not null,
    partner_id uuid,
    primary key (filter_id, seq)
  );

  create table live_timer (
    filter_id uuid not null references live_filter on delete cascade,
    device_id uuid not null,
    org_id uuid,
    due timestamptz(3) not null,
    partner_id uuid,
    primary key (filter_id, device_id)
  );
  create index live_timer_due on live_timer (org_id, due);
  create index live_timer_partner on live_timer (partner_id, due) where partner_id is not null;
  comment on table live_timer is 'When the answer of a filter for a device is looked at again because time has passed';

  create table live_mark (
    id bigint generated always as identity primary key,
    org_id uuid,
    device_id uuid,
    kind mark_kind not null,
    at timestamptz not null default clock_timestamp(),
    partner_id uuid
  );
  create index live_mark_org on live_mark (org_id);
  create index live_mark_partner on live_mark (partner_id) where partner_id is not null;
  comment on table live_mark is
    'Devices that changed since the last evaluation; of a partner: its filters, custom fields or organizations did';
`;

/** Columns of `device` that change with every heartbeat, besides `last_seen_at`. */
export const MEASURED_COLUMNS = ['cpu_percent', 'ram_percent', 'disk_percent', 'uptime_seconds'] as const;

/** Columns of `device` that filters read, besides `last_seen_at` and `MEASURED_COLUMNS`. */
const READ_BY_FILTERS = [
  ...['hostname', 'display_name', 'status', 'agent_version', 'enrolled_at', 'tags', 'device_role'],
  ...['last_user', 'is_headless', 'watchdog_status', 'quarantined_at', 'site_id'],
  ...['last_seen_ip', 'pending_patches', 'patches_reported', 'critical_alerts', 'reboot_required'],
  ...['os_type', 'os_version', 'os_build', 'architecture', 'custom'],
];

const listOf = (row: string, columns: readonly string[]) =>
  columns.map((column) => `${row}.${column}`).join(', ');
const isDistinct = (columns: readonly string[]) =>
  `(${listOf('old', columns)}) is distinct from (${listOf('new', columns)})`;

const DEVICES_MARKED = sql`
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
    when (old.org_id <> new.org_id or ${isDistinct(READ_BY_FILTERS)}) execute function mark_changed_device();

  create function mark_measured_device() returns trigger language plpgsql as $$
    begin
      if exists (
        select from live_organization l
        where l.org_id = new.org_id and l.measured <> '{}' and (
          ${MEASURED_COLUMNS.map(
            (column) => `('${column}' = any(l.measured) and old.${column} is distinct from new.${column})`,
          ).join(' or\n          ')})
      ) then
        insert into live_mark (org_id, device_id, kind) values (new.org_id, new.id, 'changed');
      end if;
      return null;
    end $$;
  create trigger mark_measured_device after update on device for each row
    when (${isDistinct(MEASURED_COLUMNS)}) execute function mark_measured_device();

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
`;

/**
 * Triggers on all parts but volumes, which no filter reads. If the whole device is deleted, only the trigger
 * on `device` marks it.
 */
const PARTS_MARKED = ['device_hardware', 'device_network', 'device_software', 'patch'].map((table) =>
  [
    ['insert', 'new table as changed'],
    ['update', 'new table as changed'],
    ['delete', 'old table as changed'],
  ]
    .map(
      ([event, rows]) => sql`
  create trigger mark_at_${event} after ${event} on ${table} referencing ${rows}
    for each statement when (pg_trigger_depth() = 0) execute function mark_devices_of_parts();`,
    )
    .join(''),
);

const MARKS = sql`${DEVICES_MARKED}
  create function mark_devices_of_parts() returns trigger language plpgsql as $$
    begin
      insert into live_mark (org_id, device_id, kind)
      select distinct c.org_id, c.device_id, 'changed'::mark_kind from changed c join live_organization using (org_id);
      return null;
    end $$;
${PARTS_MARKED.join('')}

  create function mark_custom_field() returns trigger language plpgsql as $$
    begin
      insert into live_mark (partner_id, kind)
      select distinct g.partner_id, 'changed'::mark_kind from live_organization l join organization g on g.id = l.org_id
      where g.id in (old.org_id, new.org_id) or g.partner_id in (old.partner_id, new.partner_id);
      return null;
    end $$;
  create trigger mark_custom_field after insert or update or delete on custom_field
    for each row execute function mark_custom_field();

  create function mark_edited_filter() returns trigger language plpgsql as $$
    begin
      insert into live_mark (partner_id, kind)
      select coalesce(f.partner_id, g.partner_id), 'changed'
      from live_filter f left join organization g on g.id = f.org_id where f.is_watched and f.filter_id in (
        with recursive relying(id) as (
          select new.id
          union select s.id from relying r join saved_filter s on s.named @> array[r.id] and s.named <> '{}')
        select id from relying);
      return null;
    end $$;
  create trigger mark_edited_filter after insert or update on saved_filter
    for each row execute function mark_edited_filter();

  create function unwatch_filter(watched uuid) returns void language plpgsql as $$
    declare
      of_partner uuid := (
        select coalesce(f.partner_id, g.partner_id) from live_filter f left join organization g on g.id = f.org_id
        where f.filter_id = watched and f.is_watched);
    begin
      if of_partner is null then return; end if;
      update live_filter set is_watched = false, is_interrupted = true, evaluated_at = coalesce(
        evaluated_at, (select p.evaluated_at from live_partner p where p.partner_id = of_partner))
      where filter_id = watched and is_watched;
      delete from live_timer where filter_id = watched;
      insert into live_mark (partner_id, kind) values (of_partner, 'changed');
    end $$;

  create function end_feed() returns trigger language plpgsql as $$
    begin
      perform unwatch_filter(old.id);
      return null;
    end $$;
  create trigger end_feed after delete on saved_filter for each row execute function end_feed();

  create function watch_filter(watched uuid) returns void language plpgsql as $$
    declare
      filter saved_filter;
    begin
      select * into filter from saved_filter where id = watched;
      if not found then return; end if;
      -- An evaluation that would remove one of these meanwhile fails.
      insert into live_organization (org_id)
      select id from organization where id = filter.org_id or partner_id = filter.partner_id order by id
      on conflict (org_id) do update set org_id = excluded.org_id;
      insert into live_filter (filter_id, org_id, partner_id) values (watched, filter.org_id, filter.partner_id)
      on conflict (filter_id) do update set is_watched = true where not live_filter.is_watched;
      insert into live_mark (partner_id, kind)
      select coalesce(filter.partner_id, (select partner_id from organization where id = filter.org_id)), 'changed';
    end $$;

  create function mark_added_organizations() returns trigger language plpgsql as $$
    begin
      -- By the strictest rules, until the first evaluation knows what the filters read.
      insert into live_organization (org_id, silence, measured)
      select a.id, '0', '{${MEASURED_COLUMNS.join()}}' from added a
      where exists (select from live_filter f where f.partner_id = a.partner_id and f.is_watched)
      on conflict do nothing;
      insert into live_mark (partner_id, kind) select distinct partner_id, 'changed'::mark_kind from added;
      return null;
    end $$;
  create trigger mark_added_organizations after insert on organization referencing new table as added
    for each statement execute function mark_added_organizations();
`;

/** 7317008 is the lock `live-news` of `lock-number.ts`. */
const NEWS = sql`
  create function announce_marks() returns trigger language plpgsql as $$
    begin
      -- A commit that notifies waits for all others that do. So one at a time does, and the next look finds the rest.
      if pg_try_advisory_xact_lock(7317008) then perform pg_notify('fleetsift_marks', ''); end if;
      return null;
    end $$;
  create trigger announce_marks after insert on live_mark for each statement execute function announce_marks();
`;

export const LIVE = [LIVE_TABLES, MARKS, NEWS].join('');
