/** Versions are compared by keys, and devices are in rings. Keys of existing rows are worked out here; new ones by the service. */

/** Works out the keys of existing versions. */
export const CREATE_VERSION_KEY = String.raw`  create function version_key(version text) returns text language plpgsql as $$
    declare
      part text;
      digits text;
      place int;
      zeros int := 0;
      token text;
      key text := '';
      is_empty boolean := true;
    begin
      for part in select lower(m[1]) from regexp_matches(version collate patterns, '[0-9]+|[[:alpha:]]+', 'g') m loop
        is_empty := false;
        digits := case when part ~ '^[0-9]' then ltrim(part, '0') end;
        if digits = '' then
          zeros := zeros + 1;
          continue;
        end if;
        place := array_position(array['dev', 'snapshot', 'alpha', 'beta', 'pre', 'preview', 'rc'], part) - 1;
        token := case when zeros = 0 then '0' else length(zeros::text) || zeros::text end;
        if place is not null then
          key := key || '0' || token || place;
        elsif digits is null then
          key := key || '2' || translate(token, '0123456789', '9876543210') || 'a' || part || ' ';
        else
          key := key || '2' || translate(token, '0123456789', '9876543210')
            || 'b' || length(length(digits)::text) || length(digits) || digits;
        end if;
        zeros := 0;
      end loop;
      return case when not is_empty then key || '1' end;
    end $$;
`;

export const VERSIONS_OF_DEVICES = {
  name: '2026-11-24 versions of devices',
  sql: `
  alter table device add column agent_version_key text collate "C";
  alter table device add column os_version_key text collate "C";
  alter table device add column rollout_bucket smallint generated always as (
      mod(('x' || substr(sha256(id::text::bytea)::text, 3, 8))::bit(32)::bigint, 100)::smallint
    ) stored;
  comment on column device.agent_version_key is 'Versions are compared by keys; null if the text has no version';
  comment on column device.rollout_bucket is
    'The first four bytes of the SHA-256 of the id, big-endian, modulo 100';

${CREATE_VERSION_KEY}  alter table device no force row level security;
  update device set agent_version_key = version_key(agent_version), os_version_key = version_key(os_version)
  where agent_version is not null or os_version is not null;
  alter table device force row level security;
  drop function version_key(text);
`,
} as const;
