/** Every version of a title is stored, once for all devices (`schema/tables-fleet.ts`, `schema/titles.ts`). */
import { CREATE_VERSION_KEY } from './2026-11-24-versions.ts';

export const VERSIONS_OF_TITLES = {
  name: '2026-11-24 versions of titles',
  sql: `
  -- Their ids are below zero, so a device has one set of titles and versions.
  create table software_version (
    id integer primary key generated always as identity (increment by -1 start with -1),
    title_id integer not null references software_title on delete cascade,
    version text collate "C" not null,
    version_key text collate "C",
    -- Versions may be too long for a B-tree.
    constraint software_version_text exclude using hash ((title_id::text || ' ' || version) with =)
  );
  comment on table software_version is 'The versions of titles that devices have reported';
  comment on column software_version.version_key is
    'Versions are compared by keys; NULL where the text is no version';
  create index software_version_title on software_version (title_id);
  alter table organization_software add column version_of integer;
  comment on table organization_software is
    'The titles and versions that devices of an organization have; names are looked up among them';
  comment on column organization_software.version_of is 'The title of a version; NULL for a title';
  drop index organization_software_names;
  create index organization_software_names on organization_software (org_id, name_lc, title_id) where version_of is null;
  create index organization_software_versions on organization_software (org_id, version_of, title_id)
    where version_of is not null;
  alter table organization_titles add column versions integer not null default 0;
  comment on table organization_titles is
    'How many titles and versions an organization has in organization_software, and the bytes of these names and versions';
  comment on table lost_title is
    'Titles and versions that devices of an organization have lost, or organizations (org_id NULL); the worker removes those that nobody has';
  comment on table device_software is 'The titles and versions of a device as a set of ids';

  create or replace function count_titles_at_insert() returns trigger language plpgsql as $$
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

  create or replace function count_titles_at_delete() returns trigger language plpgsql as $$
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

${CREATE_VERSION_KEY}  alter table software_title no force row level security;
  alter table device_software no force row level security;
  alter table organization_software no force row level security;
  alter table organization_titles no force row level security;
  insert into software_version (title_id, version, version_key)
  select r.title_id, r.version, version_key(r.version) from (
    select distinct u.title_id, u.version collate "C" as version
    from device_software s cross join unnest(s.title_ids, s.versions) u(title_id, version)
    join software_title t on t.id = u.title_id where u.version is not null
  ) r order by r.title_id, r.version;
  insert into organization_software (title_id, org_id, version_of)
  select distinct v.id, s.org_id, v.title_id
  from device_software s cross join unnest(s.title_ids, s.versions) u(title_id, version)
  join software_version v on v.title_id = u.title_id and v.version = u.version collate "C";
  drop index device_software_titles;
  -- No device has changed.
  alter table device_software disable trigger user;
  update device_software s set title_ids = array(
    select v.id from unnest(s.title_ids, s.versions) u(title_id, version)
    join software_version v on v.title_id = u.title_id and v.version = u.version collate "C"
    order by v.id
  ) || s.title_ids;
  alter table device_software enable trigger user;
  alter table device_software drop column versions;
  create index device_software_titles on device_software using gin (title_ids);
  alter table software_title force row level security;
  alter table device_software force row level security;
  alter table organization_software force row level security;
  alter table organization_titles force row level security;
  drop function version_key(text);
`,
} as const;
