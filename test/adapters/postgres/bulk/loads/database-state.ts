/** The schema and the rows that a load leaves behind. */
import type { PostgresWorld } from '#test/support/database/postgres-world.ts';

/** The schema as the catalogue has it, without the numbers of objects. */
export async function schemaOf({ query }: PostgresWorld): Promise<readonly string[]> {
  const lines = await query<{ line: string }>(
    'owner',
    `select line from (
       select concat_ws(' ', 'table', c.oid::regclass, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relacl,
         c.reloptions, c.relreplident) as line
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'v')
       union all
       select concat_ws(' ', 'column', a.attrelid::regclass, a.attname, a.atttypid::regtype, a.attnotnull, a.attstattarget)
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and a.attnum > 0
       union all
       select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid, indisready, indisunique, indisprimary)
       from pg_index where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
       union all
       select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated,
         condeferrable, (select string_agg(concat(tgfoid::regproc, tgenabled, tgtype), ',' order by tgfoid, tgtype)
                         from pg_trigger t where t.tgconstraint = c.oid))
       from pg_constraint c where connamespace = 'public'::regnamespace
       union all
       select concat_ws(' ', 'trigger', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
       union all
       select concat_ws(' ', 'policy', to_jsonb(p)) from pg_policies p
       union all
       select concat_ws(' ', 'comment', i.identity, d.description)
       from pg_description d cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) i
       where i.schema = 'public'
     ) s order by line`,
  );
  return lines.map(({ line }) => line);
}

/** The number of an index, which changes when it is rebuilt. */
export async function indexNumber({ query }: PostgresWorld): Promise<number> {
  const [row] = await query<{ id: number }>('owner', `select 'device_order'::regclass::oid::int as id`);
  return row?.id ?? 0;
}

/** A digest of all rows of each table that a load fills. Blocks of searches are combined. */
export async function contentsOf({ query }: PostgresWorld): Promise<Readonly<Record<string, string>>> {
  const tables = await query<{ name: string }>(
    'owner',
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and oid::regclass::text ~ '^(partner|organization|site|device|script|alert|patch|software_title)' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const rows = name.endsWith('_search_block') ? wholeOfBlocks(name) : name;
    const [row] = await query<{ digest: string }>(
      'owner',
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from ${rows} t`,
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

/**
 * Where titles are cut into blocks depends on which of them a statement writes; the length and the windows of all
 * blocks of a space do not. Of what follows a block's last mark, four characters are kept, which no search asks for.
 */
function wholeOfBlocks(table: string): string {
  return `(
    select space, sum(length)::text from ${table} group by space
    union all
    select distinct space, w from ${table}, unnest(tsvector_to_array(windows)) w
    where length(w) <> 4 or starts_with(w, chr(30)))`;
}

/** Titles that a search would miss, because no block of their organization or of all has them. */
export async function titlesInNoBlock({ query }: PostgresWorld): Promise<readonly string[]> {
  const rows = await query<{ title: string }>(
    'owner',
    ['device', 'alert']
      .map(
        (table) =>
          `select title from ${table}_search s
           cross join lateral (values (s.org_id), ('00000000-0000-0000-0000-000000000000'::uuid)) v(space)
           where not exists (
             select from ${table}_search_block b
             where b.space = v.space and search_place(s.title, s.id) collate "C" between b.low and b.high)`,
      )
      .join(' union all '),
  );
  return rows.map(({ title }) => title);
}
