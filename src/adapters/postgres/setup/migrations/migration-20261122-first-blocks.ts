/**
 * Of many blocks of a space, the first in order have an index of their own: a common text is found in some of these,
 * and nobody has to put in order all the thousands that have it as well.
 *
 * All first blocks come before all others. Whether a title that is written belongs to them is what the block before it
 * says, or for the lowest of all the lowest block; so that where they end never changes, and all writers agree on it.
 * That is told here and by the first load of a database; a fleet that only grew later has no first blocks, and searches
 * look through all of them at once.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122FirstBlocks extends Migration {
  override name = 'Migration20261122FirstBlocks';

  override up(): void {
    for (const searched of SEARCHED) for (const statement of firstBlocks(searched)) this.addSql(statement);
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
const MAX_MERGED_LENGTH = 2 * BLOCK_LENGTH;
const MERGED_AT_ONCE = 4;
const MERGE_LOCK = 7_317_005;
const WINDOW_END = 'chr(29)';

/** As in the migration `blocks-in-bulk`. */
const WORKERS = 2;

/** How many blocks of a space are the first, and of how many; those of fewer are sought through at once. */
const FIRST = 256;
const MANY = 2 * FIRST;

function firstBlocks({ table, spaces }: Searched): readonly string[] {
  const search = `${table}_search`;
  const block = `${search}_block`;
  const owner = spaces.includes('org_id') ? 'org_id, ' : '';
  return [
    `alter table ${block} add column is_first boolean not null default false`,
    // Blocks overlap: the first end where one begins after all before it have ended.
    `update ${block} b set is_first = true
     from (
       select space, max(low) as low from (
         select space, low, count(*) over (partition by space) as blocks,
           row_number() over (partition by space order by low, ctid) as n,
           max(high) over (partition by space order by low, ctid rows between unbounded preceding and 1 preceding)
             as passed
         from ${block}
       ) o where n <= ${FIRST + 1} and blocks > ${MANY} and passed < low group by space
     ) f where b.space = f.space and b.low < f.low`,
    `create index ${block}_first on ${block} using gin (windows) with (gin_pending_list_limit = 128) where is_first`,
    `drop index ${block}_low`,
    `create index ${block}_low on ${block} (space, low) include (is_first)`,
    `create or replace function keep_${block}() returns trigger language plpgsql
     security definer set search_path = public, pg_temp as $$
     begin
       insert into ${block} (space, low, high, length, is_first, windows)
       select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length), bool_or(f.is_first),
         array_to_tsvector(array[f.space::text])
           || search_windows(string_agg(f.texts, ${WINDOW_END}), string_agg(f.words, ${WINDOW_END}))
       from (
         select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
           / ${BLOCK_LENGTH} as block
         from (
           select s.space, r.place, r.texts, r.words, r.length, b.low as before,
             coalesce(b.is_first, (select l.is_first from ${block} l where l.space = s.space order by l.low limit 1),
               false) as is_first
           from (select t.*, length(t.texts) as length from (
             select ${owner}search_place(title, id) as place, words, coalesce(texts, long_texts) as texts
             from added where not is_odd) t) r
           cross join lateral (values ${spaces}) s(space)
           left join lateral (
             select b.low, b.is_first from ${block} b where b.space = s.space and b.low <= r.place collate "C"
             order by b.low desc limit 1) b on true
         ) a
       ) f
       group by f.space, f.before, f.block;
       return null;
     end $$`,
    `create or replace function merge_${block}(most integer) returns integer language plpgsql
     security definer set search_path = public, pg_temp as $$
     declare
       merged integer;
     begin
       if not pg_try_advisory_xact_lock(${MERGE_LOCK}, '${block}'::regclass::oid::integer) then
         return 0;
       end if;
       with placed as materialized (
         select ctid as at, space, is_first,
           (sum(length) over (partition by space, is_first order by low, ctid) - length) / ${BLOCK_LENGTH} as block
         from ${block} where length <= ${MAX_MERGED_LENGTH}
       ), crowded as materialized (
         select space, is_first, block from placed group by space, is_first, block
         having count(*) >= ${MERGED_AT_ONCE} limit most
       ), gone as (
         delete from ${block} b using placed p
         join crowded c on c.space = p.space and c.is_first = p.is_first and c.block = p.block
         where b.ctid = p.at returning b.space, b.low, b.high, b.length, b.is_first, b.windows, p.block
       )
       insert into ${block} (space, low, high, length, is_first, windows)
       select space, min(low), max(high), sum(length), is_first, search_union(windows)
       from gone group by space, is_first, block;
       get diagnostics merged = row_count;
       return merged;
     end $$`,
    `create or replace function fill_${block}() returns void language plpgsql
     set search_path = public, pg_temp set parallel_setup_cost = 0 set parallel_tuple_cost = 0 as $$
     begin
       delete from ${block};
       create unlogged table ${block}_text with (parallel_workers = ${WORKERS}) as
       select f.space, f.block, min(f.place) as low, max(f.place) as high, sum(f.length)::integer as length,
         string_agg(f.texts, ${WINDOW_END}) as texts, string_agg(f.words, ${WINDOW_END}) as words
       from (
         select a.*, (sum(a.length) over (partition by a.space order by a.place) - a.length) / ${BLOCK_LENGTH} as block
         from (
           select s.space, r.place, r.texts, r.words, length(r.texts) as length
           from (
             select ${owner}search_place(title, id) collate "C" as place, words, coalesce(texts, long_texts) as texts
             from ${search} where not is_odd
           ) r cross join lateral (values ${spaces}) s(space)
         ) a
       ) f
       group by f.space, f.block;
       create unlogged table ${block}_made as
       select space, block, low, high, length,
         array_to_tsvector(array[space::text]) || search_windows(texts, words) as windows
       from ${block}_text;
       insert into ${block} (space, low, high, length, is_first, windows)
       select m.space, m.low, m.high, m.length, m.block < ${FIRST} and s.last >= ${MANY}, m.windows
       from ${block}_made m join (select space, max(block) as last from ${block}_made group by space) s using (space);
       drop table ${block}_text, ${block}_made;
     end $$`,
  ];
}
