/** Filters keep their superseded versions, and say who made the current one. */

export const FILTER_VERSIONS = {
  name: '2026-11-24 filter versions',
  sql: `
  alter table saved_filter add column changed_by uuid;

  create table filter_version (
    filter_id uuid not null references saved_filter on delete cascade,
    version integer not null,
    org_id uuid,
    partner_id uuid,
    name text not null,
    description text,
    conditions text not null,
    changed_by uuid,
    at timestamptz(3) not null,
    primary key (filter_id, version)
  );
  comment on table filter_version is 'Superseded versions of filters; the current one is in saved_filter';

  create function keep_filter_version() returns trigger language plpgsql as $$
    begin
      insert into filter_version (filter_id, version, org_id, partner_id, name, description, conditions, changed_by, at)
      values (old.id, old.version, old.org_id, old.partner_id, old.name, old.description, old.conditions,
        old.changed_by, old.updated_at);
      delete from filter_version where filter_id = old.id and version <= new.version - 100;
      return null;
    end $$;
  create trigger keep_filter_version after update on saved_filter for each row
    when (old.version <> new.version) execute function keep_filter_version();
`,
} as const;
