/**
 * Counts each organization's titles and versions, and notes those that devices lost as candidates for
 * removal. Columns named `title_ids` contain both: ids of versions are negative.
 */
const sql = String.raw;

export const TITLES = sql`
  create table organization_titles (
    org_id uuid primary key references organization on delete cascade,
    titles integer not null default 0,
    name_bytes bigint not null default 0,
    versions integer not null default 0
  );
  comment on table organization_titles is
    'How many titles and versions an organization has in organization_software, and the bytes of these names and versions';

  create table lost_title (
    id bigint generated always as identity primary key,
    org_id uuid,
    title_ids integer[] not null
  );
  create index lost_title_org on lost_title (org_id);
  comment on table lost_title is
    'Titles and versions that devices of an organization have lost, or organizations (org_id NULL); the worker removes those that nobody has';

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
      insert into organization_titles (org_id, titles, versions, name_bytes)
      select a.org_id, count(*) filter (where a.version_of is null), count(a.version_of),
        sum(octet_length(coalesce(t.name, v.version)))
      from added a left join software_title t on t.id = a.title_id left join software_version v on v.id = a.title_id
      group by a.org_id order by a.org_id
      on conflict (org_id) do update set titles = organization_titles.titles + excluded.titles,
        versions = organization_titles.versions + excluded.versions,
        name_bytes = organization_titles.name_bytes + excluded.name_bytes;
      return null;
    end $$;

  create trigger count_titles_at_insert after insert on organization_software
    referencing new table as added for each statement execute function count_titles_at_insert();

  create function count_titles_at_delete() returns trigger language plpgsql as $$
    begin
      update organization_titles o
      set titles = o.titles - r.titles, versions = o.versions - r.versions, name_bytes = o.name_bytes - r.name_bytes
      from (
        select d.org_id, count(*) filter (where d.version_of is null) as titles, count(d.version_of) as versions,
          sum(octet_length(coalesce(t.name, v.version))) as name_bytes
        from removed d left join software_title t on t.id = d.title_id
        left join software_version v on v.id = d.title_id group by d.org_id
      ) r where o.org_id = r.org_id;
      insert into lost_title (title_ids)
      select array_agg(distinct title_id) from removed having count(*) > 0;
      return null;
    end $$;

  create trigger count_titles_at_delete after delete on organization_software
    referencing old table as removed for each statement execute function count_titles_at_delete();
`;
