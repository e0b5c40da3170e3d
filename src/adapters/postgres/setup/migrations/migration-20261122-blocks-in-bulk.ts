/**
 * The first load of a database makes the blocks of searches in bulk, as it does indexes: from all titles at once, by as
 * many processes as build an index, and not by the triggers chunk by chunk, whose blocks would be many and short.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122BlocksInBulk extends Migration {
  override name = 'Migration20261122BlocksInBulk';

  override up(): void {
    for (const searched of SEARCHED) for (const statement of fillBlocks(searched)) this.addSql(statement);
    for (const statement of BEGIN_INITIAL_LOAD) this.addSql(statement);
  }
}

/** As in the migration `search-blocks`. */
interface Searched {
  readonly table: string;
  readonly spaces: string;
}

const EVERYTHING = `'00000000-0000-0000-0000-000000000000'::uuid`;

const SEARCHED: readonly Searched[] = [
  { table: 'device', spaces: `(r.org_id), (${EVERYTHING})` },
  { table: 'script', spaces: `(${EVERYTHING})` },
  { table: 'alert', spaces: `(r.org_id), (${EVERYTHING})` },
];

const BLOCK_LENGTH = 4_096;
const WINDOW_END = 'chr(29)';

/** Processes beside the leader; fewer where the server allows fewer. */
const WORKERS = 2;

/** Puts all titles into blocks anew. Workers read no temporary tables, so what is in between is in tables of its own. */
function fillBlocks({ table, spaces }: Searched): readonly string[] {
  const block = `${table}_search_block`;
  return [
    `create function fill_${block}() returns void language plpgsql
     set search_path = public, pg_temp set parallel_setup_cost = 0 set parallel_tuple_cost = 0 as $$
     begin
       delete from ${block};
       create unlogged table ${block}_text with (parallel_workers = ${WORKERS}) as
       select f.space, min(f.place) as low, max(f.place) as high, sum(f.length)::integer as length,
         string_agg(f.texts, ${WINDOW_END}) as texts, string_agg(f.words, ${WINDOW_END}) as words
       from (
         select a.*, (sum(a.length) over (partition by a.space order by a.place) - a.length) / ${BLOCK_LENGTH} as block
         from (
           select s.space, r.place, r.texts, r.words, length(r.texts) as length
           from (
             select ${spaces.includes('org_id') ? 'org_id, ' : ''}search_place(title, id) collate "C" as place, words,
               coalesce(texts, long_texts) as texts
             from ${table}_search where not is_odd
           ) r cross join lateral (values ${spaces}) s(space)
         ) a
       ) f
       group by f.space, f.block;
       create unlogged table ${block}_made as
       select space, low, high, length,
         array_to_tsvector(array[space::text]) || search_windows(texts, words) as windows
       from ${block}_text;
       insert into ${block} (space, low, high, length, windows)
       select space, low, high, length, windows from ${block}_made;
       drop table ${block}_text, ${block}_made;
     end $$`,
    `revoke execute on function fill_${block} from public`,
  ];
}

/** As in the migration `initial-load`, but for the blocks. */
const FILLED_TABLES = `with recursive filled(id) as (
    values ('device'::regclass::oid), ('script'::regclass), ('organization_software'::regclass),
      ${SEARCHED.map(({ table }) => `('${table}_search_block'::regclass)`).join(', ')}
    union select c.conrelid from pg_constraint c join filled f on f.id = c.confrelid where c.contype = 'f'
  ) select array_agg(id) from filled`;

const HAS_NO_COMMENT = (object: string, catalogue: string) =>
  `not exists (select from pg_description d where d.objoid = ${object} and d.classoid = '${catalogue}'::regclass)`;

const IS_PLAIN = `i.indisvalid and not i.indisclustered and not i.indisreplident
  and exists (select from pg_class x where x.oid = i.indexrelid and x.reltablespace = 0)
  and ${HAS_NO_COMMENT('i.indexrelid', 'pg_class')}`;

const INDEXES = `select i.indexrelid::regclass as index, pg_get_indexdef(i.indexrelid) as definition,
    array(
      select format('alter index %s alter column %s set statistics %s', i.indexrelid::regclass, a.attnum, a.attstattarget)
      from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget >= 0 order by a.attnum
    ) as statistics
  from pg_index i
  where i.indrelid = any(filled) and ${IS_PLAIN}
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  order by i.indexrelid`;

const CONSTRAINTS = (also: string) => `select c.conrelid::regclass as owner, c.conname as name,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
      as definition
  from pg_constraint c
  where c.conrelid = any(filled) and ${also} and ${HAS_NO_COMMENT('c.oid', 'pg_constraint')}
  order by c.conrelid, c.conname`;

const FOREIGN_KEYS = CONSTRAINTS(`c.contype = 'f' and c.convalidated`);

const PRIMARY_KEYS = CONSTRAINTS(`c.contype = 'p' and c.conrelid <> 'script'::regclass
  and exists (select from pg_index i where i.indexrelid = c.conindid and ${IS_PLAIN})
  and not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = c.conrelid)`);

const KEEPING_BLOCKS = SEARCHED.flatMap(({ table }) =>
  ['insert', 'update'].map((change) => ({ search: `${table}_search`, trigger: `keep_block_at_${change}` })),
);

const BEGIN_INITIAL_LOAD: readonly string[] = [
  `create or replace function begin_initial_load() returns void language plpgsql
   security definer set search_path = public, pg_temp as $$
   declare
     filled oid[] := (${FILLED_TABLES});
     touched oid[] := filled || array(
       select c.confrelid from pg_constraint c where c.contype = 'f' and c.conrelid = any(filled)
     );
     guarded regclass[] := array(
       select oid::regclass from pg_class where oid = any(touched) and relforcerowsecurity order by oid
     );
     guarded_table regclass;
     foreign_keys text[] := '{}';
     lost record;
   begin
     execute (
       select 'lock table ' || string_agg(id::regclass::text, ', ' order by id) || ' in access exclusive mode'
       from (select distinct unnest(touched) as id) t
     );
     -- Policies in force hide every row from the owner, who would then find devices nowhere and keys in order.
     foreach guarded_table in array guarded loop
       execute format('alter table %s no force row level security', guarded_table);
     end loop;
     if exists (select from device) then
       raise exception 'there are devices already' using errcode = 'object_not_in_prerequisite_state';
     end if;
     ${KEEPING_BLOCKS.map(({ search, trigger }) => `alter table ${search} disable trigger ${trigger};`).join('\n     ')}
     insert into initial_load (statement) values
       ${SEARCHED.map(({ table }) => `('select fill_${table}_search_block()')`).join(', ')},
       ${KEEPING_BLOCKS.map(({ search, trigger }) => `('alter table ${search} enable trigger ${trigger}')`).join(', ')};
     for lost in ${FOREIGN_KEYS} loop
       foreign_keys := foreign_keys || lost.definition;
       execute format('alter table %s drop constraint %I', lost.owner, lost.name);
     end loop;
     for lost in ${INDEXES} loop
       insert into initial_load (statement) values (lost.definition);
       insert into initial_load (statement) select * from unnest(lost.statistics);
       execute format('drop index %s', lost.index);
     end loop;
     for lost in ${PRIMARY_KEYS} loop
       insert into initial_load (statement) values (lost.definition);
       execute format('alter table %s drop constraint %I', lost.owner, lost.name);
     end loop;
     insert into initial_load (statement) select * from unnest(foreign_keys);
     insert into initial_load (statement)
     select format('alter table %s force row level security', t.name) from unnest(guarded) t(name);
   end $$`,
  'revoke execute on function begin_initial_load from public',
];
