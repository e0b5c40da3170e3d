/** Counts the software titles of each organization, and notes lost titles for their removal (`schema/titles.ts`). */

export const TITLES_OF_ORGANIZATIONS = {
  name: '2026-11-24 titles of organizations',
  sql: `
  create table organization_titles (
    org_id uuid primary key references organization on delete cascade,
    titles integer not null default 0,
    name_bytes bigint not null default 0
  );
  comment on table organization_titles is
    'How many rows an organization has in organization_software, and the bytes of the names of these titles';

  create table lost_title (
    id bigint generated always as identity primary key,
    org_id uuid,
    title_ids integer[] not null
  );
  create index lost_title_org on lost_title (org_id);
  comment on table lost_title is
    'Titles that devices of an organization have lost, or organizations (org_id NULL); the worker removes those that nobody has';

  alter table software_title drop constraint software_title_name_key;
  alter table software_title add constraint software_title_name exclude using hash (name with =);
  drop index software_title_lc;
  create index software_title_lc on software_title using hash (name_lc);
  alter table organization_software alter column name_lc drop not null;
  alter table organization_software add column long_name_lc text collate "C";
  comment on table organization_software is
    'The titles that devices of an organization have, by folded name; names are looked up among them';
  comment on column organization_software.name_lc is
    'NULL where the folded name has more than 2,000 bytes, and long_name_lc has it';

  -- Policies that are already in force also apply to the owner.
  alter table software_title no force row level security;
  alter table organization_software no force row level security;
  insert into organization_titles (org_id, titles, name_bytes)
  select o.org_id, count(*), sum(octet_length(t.name))
  from organization_software o join software_title t on t.id = o.title_id group by o.org_id;
  -- Nothing was removed before, so all of them may be lost.
  insert into lost_title (org_id, title_ids)
  select org_id, array_agg(title_id) from organization_software group by org_id;
  insert into lost_title (title_ids) select array_agg(id) from software_title group by id / 10000;
  alter table software_title force row level security;
  alter table organization_software force row level security;

  create function note_titles_lost_at_update() returns trigger language plpgsql as $$
    begin
      insert into lost_title (org_id, title_ids)
      select old.org_id, array_agg(id) from (
        select unnest(old.title_ids) as id
        except select unnest(new.title_ids) where new.org_id = old.org_id
      ) lost having count(*) > 0;
      return null;
    end $$;

  create trigger note_titles_lost_at_update after update on device_software for each row
    when (old.title_ids is distinct from new.title_ids or old.org_id <> new.org_id)
    execute function note_titles_lost_at_update();

  create function note_titles_lost_at_delete() returns trigger language plpgsql as $$
    begin
      insert into lost_title (org_id, title_ids)
      select r.org_id, array_agg(distinct u.title_id)
      from removed r cross join unnest(r.title_ids) u(title_id) group by r.org_id;
      return null;
    end $$;

  create trigger note_titles_lost_at_delete after delete on device_software
    referencing old table as removed for each statement execute function note_titles_lost_at_delete();

  create function count_titles_at_insert() returns trigger language plpgsql as $$
    begin
      insert into organization_titles (org_id, titles, name_bytes)
      select a.org_id, count(*), sum(octet_length(t.name))
      from added a join software_title t on t.id = a.title_id group by a.org_id order by a.org_id
      on conflict (org_id) do update set titles = organization_titles.titles + excluded.titles,
        name_bytes = organization_titles.name_bytes + excluded.name_bytes;
      return null;
    end $$;

  create trigger count_titles_at_insert after insert on organization_software
    referencing new table as added for each statement execute function count_titles_at_insert();

  create function count_titles_at_delete() returns trigger language plpgsql as $$
    begin
      update organization_titles o set titles = o.titles - r.titles, name_bytes = o.name_bytes - r.name_bytes
      from (
        select d.org_id, count(*) as titles, sum(octet_length(t.name)) as name_bytes
        from removed d join software_title t on t.id = d.title_id group by d.org_id
      ) r where o.org_id = r.org_id;
      insert into lost_title (title_ids)
      select array_agg(distinct title_id) from removed having count(*) > 0;
      return null;
    end $$;

  create trigger count_titles_at_delete after delete on organization_software
    referencing old table as removed for each statement execute function count_titles_at_delete();
`,
} as const;
