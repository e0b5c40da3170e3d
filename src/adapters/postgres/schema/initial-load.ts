/**
 * Updating indexes and keys row by row takes most of a load's time, so the first devices are loaded without
 * them. The app role owns no tables, so functions of the owner drop and restore them. The table
 * `initial_load` holds the statements that restore everything. A commit before they have run is refused, so
 * no committed state lacks an index or a key.
 */
import { SEARCHED_BLOCKS } from './search-blocks.ts';

const sql = String.raw;

/** Devices, scripts and everything that refers to them. */
const FILLED_TABLES = sql`with recursive filled(id) as (
        values ('device'::regclass::oid), ('script'::regclass), ('organization_software'::regclass),
          ${SEARCHED_BLOCKS.map(({ table }) => `('${table}_search_block'::regclass)`).join(', ')}
        union select c.conrelid from pg_constraint c join filled f on f.id = c.confrelid where c.contype = 'f'
      ) select array_agg(id) from filled`;

const hasNoComment = (object: string, catalogue: string) =>
  `not exists (select from pg_description d where d.objoid = ${object} and d.classoid = '${catalogue}'::regclass)`;

const IS_PLAIN = sql`i.indisvalid and not i.indisclustered and not i.indisreplident
        and exists (select from pg_class x where x.oid = i.indexrelid and x.reltablespace = 0)
        and ${hasNoComment('i.indexrelid', 'pg_class')}`;

const LOST_INDEXES = sql`select i.indexrelid::regclass as index, pg_get_indexdef(i.indexrelid) as definition,
          array(
            select format('alter index %s alter column %s set statistics %s', i.indexrelid::regclass, a.attnum, a.attstattarget)
            from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget >= 0 order by a.attnum
          ) as statistics
        from pg_index i
        where i.indrelid = any(filled) and ${IS_PLAIN}
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
        order by i.indexrelid`;

const constraints = (also: string) => sql`select c.conrelid::regclass as owner, c.conname as name,
          format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
            as definition
        from pg_constraint c
        where c.conrelid = any(filled) and ${also} and ${hasNoComment('c.oid', 'pg_constraint')}
        order by c.conrelid, c.conname`;

const LOST_FOREIGN_KEYS = constraints(`c.contype = 'f' and c.convalidated`);

/** Scripts keep their primary key, because they are upserted. */
const LOST_PRIMARY_KEYS = constraints(sql`c.contype = 'p' and c.conrelid <> 'script'::regclass
        and exists (select from pg_index i where i.indexrelid = c.conindid and ${IS_PLAIN})
        and not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = c.conrelid)`);

const KEEPING_BLOCKS = SEARCHED_BLOCKS.flatMap(({ table }) =>
  ['insert', 'update'].map((change) => ({ search: `${table}_search`, trigger: `keep_block_at_${change}` })),
);

export const INITIAL_LOAD = sql`
  create table initial_load (
    position integer generated always as identity primary key,
    statement text not null
  );
  comment on table initial_load is
    'What a load puts off until all is written: indexes, keys and blocks of searches; empty at every commit';

  create function refuse_open_initial_load() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$
    begin
      if exists (select from initial_load where position = new.position) then
        raise exception 'an initial load commits without end_initial_load()'
          using errcode = 'object_not_in_prerequisite_state';
      end if;
      return null;
    end $$;
  create constraint trigger refuse_open after insert on initial_load deferrable initially deferred
    for each row execute function refuse_open_initial_load();

  create function begin_initial_load() returns void language plpgsql
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
      ${KEEPING_BLOCKS.map(({ search, trigger }) => `alter table ${search} disable trigger ${trigger};`).join('\n      ')}
      insert into initial_load (statement) values
        ${SEARCHED_BLOCKS.map(({ table }) => `('select fill_${table}_search_block()')`).join(', ')},
        ${KEEPING_BLOCKS.map(({ search, trigger }) => `('alter table ${search} enable trigger ${trigger}')`).join(', ')};
      for lost in ${LOST_FOREIGN_KEYS} loop
        foreign_keys := foreign_keys || lost.definition;
        execute format('alter table %s drop constraint %I', lost.owner, lost.name);
      end loop;
      for lost in ${LOST_INDEXES} loop
        insert into initial_load (statement) values (lost.definition);
        insert into initial_load (statement) select * from unnest(lost.statistics);
        execute format('drop index %s', lost.index);
      end loop;
      for lost in ${LOST_PRIMARY_KEYS} loop
        insert into initial_load (statement) values (lost.definition);
        execute format('alter table %s drop constraint %I', lost.owner, lost.name);
      end loop;
      insert into initial_load (statement) select * from unnest(foreign_keys);
      insert into initial_load (statement)
      select format('alter table %s force row level security', t.name) from unnest(guarded) t(name);
    end $$;
  comment on function begin_initial_load is
    'Takes indexes and keys from the tables of devices, of which there must be none, until end_initial_load() in the same transaction';

  create function end_initial_load() returns void language plpgsql
    security definer set search_path = public, pg_temp as $$
    declare
      lost record;
    begin
      for lost in select statement from initial_load order by position loop
        execute lost.statement;
      end loop;
      delete from initial_load;
    end $$;

  revoke execute on function begin_initial_load, end_initial_load, refuse_open_initial_load from public;
`;
