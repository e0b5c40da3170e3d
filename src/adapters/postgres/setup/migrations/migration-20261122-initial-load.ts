/**
 * Lets the app role load the first devices without indexes and keys, which are then built and checked in bulk: row by
 * row they are most of the time of a load. The app role owns no table, so two functions of the owner do it. What they
 * take away stands in a table as the statements that put it back, and whoever commits before these have run is refused:
 * no committed state is without an index or a key.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122InitialLoad extends Migration {
  override name = 'Migration20261122InitialLoad';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

/** Devices and scripts with all that refers to them, whatever later migrations add. */
const FILLED_TABLES = `with recursive filled(id) as (
    values ('device'::regclass::oid), ('script'::regclass), ('organization_software'::regclass)
    union select c.conrelid from pg_constraint c join filled f on f.id = c.confrelid where c.contype = 'f'
  ) select array_agg(id) from filled`;

const HAS_NO_COMMENT = (object: string, catalogue: string) =>
  `not exists (select from pg_description d where d.objoid = ${object} and d.classoid = '${catalogue}'::regclass)`;

/** Whether the definition of the index \`i\` says all that there is to say of it. */
const IS_PLAIN = `i.indisvalid and not i.indisclustered and not i.indisreplident
  and exists (select from pg_class x where x.oid = i.indexrelid and x.reltablespace = 0)
  and not exists (select from pg_attribute a where a.attrelid = i.indexrelid and coalesce(a.attstattarget, -1) >= 0)
  and ${HAS_NO_COMMENT('i.indexrelid', 'pg_class')}`;

const INDEXES = `select i.indexrelid::regclass as index, pg_get_indexdef(i.indexrelid) as definition from pg_index i
  where i.indrelid = any(filled) and ${IS_PLAIN}
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
  order by i.indexrelid`;

/** \`also\` narrows them down. */
const CONSTRAINTS = (also: string) => `select c.conrelid::regclass as owner, c.conname as name,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
      as definition
  from pg_constraint c
  where c.conrelid = any(filled) and ${also} and ${HAS_NO_COMMENT('c.oid', 'pg_constraint')}
  order by c.conrelid, c.conname`;

const FOREIGN_KEYS = CONSTRAINTS(`c.contype = 'f' and c.convalidated`);

/** Scripts are upserted by theirs. */
const PRIMARY_KEYS = CONSTRAINTS(`c.contype = 'p' and c.conrelid <> 'script'::regclass
  and exists (select from pg_index i where i.indexrelid = c.conindid and ${IS_PLAIN})
  and not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = c.conrelid)`);

const STATEMENTS: readonly string[] = [
  `create table initial_load (
    position integer generated always as identity primary key,
    statement text not null
  )`,
  `comment on table initial_load is
    'What puts back the indexes and keys that the initial load under way does without; empty at every commit'`,
  `create function refuse_open_initial_load() returns trigger language plpgsql
   security definer set search_path = public, pg_temp as $$
   begin
     if exists (select from initial_load where position = new.position) then
       raise exception 'an initial load commits without end_initial_load()'
         using errcode = 'object_not_in_prerequisite_state';
     end if;
     return null;
   end $$`,
  `create constraint trigger refuse_open after insert on initial_load deferrable initially deferred
   for each row execute function refuse_open_initial_load()`,
  `create function begin_initial_load() returns void language plpgsql
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
     for lost in ${FOREIGN_KEYS} loop
       foreign_keys := foreign_keys || lost.definition;
       execute format('alter table %s drop constraint %I', lost.owner, lost.name);
     end loop;
     for lost in ${INDEXES} loop
       insert into initial_load (statement) values (lost.definition);
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
  `create function end_initial_load() returns void language plpgsql
   security definer set search_path = public, pg_temp as $$
   declare
     lost record;
   begin
     for lost in select statement from initial_load order by position loop
       execute lost.statement;
     end loop;
     delete from initial_load;
   end $$`,
  `comment on function begin_initial_load is
   'Takes indexes and keys from the tables of devices, of which there must be none, until end_initial_load() in the same transaction'`,
  'revoke execute on function begin_initial_load, end_initial_load, refuse_open_initial_load from public',
];
