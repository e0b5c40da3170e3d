/** Feeds of partner-wide filters, and evaluations that know what has not changed (`schema/live.ts`). */

export const FEEDS_OF_PARTNERS = {
  name: '2026-11-24 feeds of partners',
  sql: `
  create table live_partner (
    partner_id uuid primary key references partner on delete cascade,
    evaluated_at timestamptz(3) not null,
    revision uuid
  ) with (fillfactor = 50);
  comment on table live_partner is 'The last evaluation of the filters of a partner and its organizations';
  comment on column live_partner.revision is
    'Names the evaluation that last read the filters, and left none that has to be repeated';
  alter table live_organization no force row level security;
  alter table organization no force row level security;
  insert into live_partner (partner_id, evaluated_at)
  select g.partner_id, max(l.evaluated_at) from live_organization l join organization g on g.id = l.org_id
  group by 1 having max(l.evaluated_at) is not null;
  alter table live_organization force row level security;
  alter table organization force row level security;
  comment on column live_organization.evaluated_at is 'When one of its devices was last looked at';

  alter table live_filter alter column org_id drop not null;
  alter table live_filter add column partner_id uuid references partner on delete cascade;
  alter table live_filter add check (num_nonnulls(org_id, partner_id) = 1);
  create index live_filter_partner on live_filter (partner_id);
  create index live_filter_unsettled on live_filter (filter_id) where is_unsettled;
  comment on column live_filter.evaluated_at is 'NULL while it is that of the partner';

  alter table live_member alter column org_id drop not null;
  alter table live_member add column partner_id uuid;
  comment on table live_member is 'Here and below, organization or partner are those of the filter';
  alter table live_change alter column org_id drop not null;
  alter table live_change add column partner_id uuid;
  alter table live_timer alter column org_id drop not null;
  alter table live_timer add column partner_id uuid;
  create index live_timer_partner on live_timer (partner_id, due) where partner_id is not null;

  alter table live_mark alter column org_id drop not null;
  alter table live_mark add column partner_id uuid;
  create index live_mark_partner on live_mark (partner_id) where partner_id is not null;
  comment on table live_mark is
    'Devices that changed since the last evaluation; of a partner: its filters, custom fields or organizations did';

  create or replace function mark_custom_field() returns trigger language plpgsql as $$
    begin
      insert into live_mark (partner_id, kind)
      select distinct g.partner_id, 'changed'::mark_kind from live_organization l join organization g on g.id = l.org_id
      where g.id in (old.org_id, new.org_id) or g.partner_id in (old.partner_id, new.partner_id);
      return null;
    end $$;

  create or replace function mark_edited_filter() returns trigger language plpgsql as $$
    begin
      insert into live_mark (partner_id, kind)
      select coalesce(f.partner_id, g.partner_id), 'changed'
      from live_filter f left join organization g on g.id = f.org_id where f.filter_id = new.id and f.is_watched;
      return null;
    end $$;

  create or replace function unwatch_filter(watched uuid) returns void language plpgsql as $$
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

  create or replace function end_feed() returns trigger language plpgsql as $$
    begin
      perform unwatch_filter(old.id);
      return null;
    end $$;

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

  create or replace function mark_added_organizations() returns trigger language plpgsql as $$
    begin
      -- By the strictest rules, until the first evaluation knows what the filters read.
      insert into live_organization (org_id, silence, measured)
      select a.id, '0', '{cpu_percent,ram_percent,disk_percent,uptime_seconds}' from added a
      where exists (select from live_filter f where f.partner_id = a.partner_id and f.is_watched)
      on conflict do nothing;
      insert into live_mark (partner_id, kind) select distinct partner_id, 'changed'::mark_kind from added;
      return null;
    end $$;
  create trigger mark_added_organizations after insert on organization referencing new table as added
    for each statement execute function mark_added_organizations();

  create or replace function watch_subscribed_filter() returns trigger language plpgsql as $$
    declare
      changed subscription := coalesce(new, old);
    begin
      if exists (select 1 from subscription where filter_id = changed.filter_id and state = 'active') then
        perform watch_filter(changed.filter_id);
      else
        perform unwatch_filter(changed.filter_id);
      end if;
      return null;
    end $$;
  drop function watch_filter(uuid, uuid);
`,
} as const;
