/**
 * Names of partners, of a partner's organizations and of an organization's sites are unique. Where several share a name, the
 * oldest keeps it, and the others get a number: "Contoso (2)".
 */
const sql = String.raw;

const KEY = sql`md5(lower(btrim(name, U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF') collate patterns))`;

export const UNIQUE_NAMES = {
  name: '2026-11-24 unique names',
  sql: sql`
  alter table partner disable row level security;
  alter table organization disable row level security;
  alter table site disable row level security;

  do $$ declare
    place record;
    parent text;
    wanted text;
    is_taken boolean;
    n integer;
  begin
    foreach parent in array array['partner', 'organization partner_id', 'site org_id'] loop
      for place in execute format(
        'select id, name, %1$s as parent from (
           select t.*, row_number() over (partition by %1$s, %2$s order by id) as place from %3$I t
         ) t where place > 1 order by id',
        coalesce(nullif(split_part(parent, ' ', 2), ''), 'null::uuid'), $key$${KEY}$key$, split_part(parent, ' ', 1))
      loop
        n := 1;
        loop
          n := n + 1;
          wanted := btrim(place.name) || ' (' || n || ')';
          execute format(
            'select exists (select 1 from %1$I where %2$s is not distinct from $1 and %3$s = (select %3$s from (select $2) w(name)))',
            split_part(parent, ' ', 1), coalesce(nullif(split_part(parent, ' ', 2), ''), 'null::uuid'), $key$${KEY}$key$)
            into is_taken using place.parent, wanted;
          exit when not is_taken;
        end loop;
        execute format('update %I set name = $1 where id = $2', split_part(parent, ' ', 1)) using wanted, place.id;
      end loop;
    end loop;
  end $$;

  alter table partner enable row level security;
  alter table organization enable row level security;
  alter table site enable row level security;

  create unique index partner_name on partner ((${KEY}));
  create unique index organization_name on organization (partner_id, (${KEY}));
  create unique index site_name on site (org_id, (${KEY}));
`,
} as const;
