/**
 * Searches by blocks. Titles in order are cut into blocks of about a hundred, and for each block one inverted index
 * has every one, two and three characters in a row of its texts, and what its words begin with. A search walks only
 * the blocks that have all of its own, in order, until it has enough. That replaces the windows of single rows, those
 * of a sample, and the heads of titles.
 *
 * Each organization has blocks of its own, which alone are looked at for it, so that no other tenant's titles cost it
 * any time; one more sequence of blocks is of all titles.
 *
 * Writers only ever add blocks: what a statement writes becomes blocks beside those that are there, each within the
 * stretch between two of them. Blocks that lie side by side are merged now and then. So no two writers wait for each
 * other, and a title that is committed is always in a block; what is gone or renamed leaves a block that promises
 * more than it holds, which costs a look and nothing else.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122SearchBlocks extends Migration {
  override name = 'Migration20261122SearchBlocks';

  override up(): void {
    for (const { table } of SEARCHED) {
      // Policies that are already in force also apply to the owner.
      this.addSql(`alter table ${table}_search no force row level security`);
      for (const statement of withoutHeads(table)) this.addSql(statement);
    }
    for (const statement of FUNCTIONS) this.addSql(statement);
    for (const searched of SEARCHED) {
      for (const statement of blockTable(searched)) this.addSql(statement);
      this.addSql(`alter table ${searched.table}_search force row level security`);
    }
  }
}

interface Searched {
  readonly table: string;
  /** The sequences that the row `r` is in: its organization's, if it always has one, and that of all titles. */
  readonly spaces: string;
}

/** All titles. */
const EVERYTHING = `'00000000-0000-0000-0000-000000000000'::uuid`;

const SEARCHED: readonly Searched[] = [
  { table: 'device', spaces: `(r.org_id), (${EVERYTHING})` },
  // What a partner owns is seen in many organizations.
  { table: 'script', spaces: `(${EVERYTHING})` },
  { table: 'alert', spaces: `(r.org_id), (${EVERYTHING})` },
];

/** Characters of texts in a block; the last title's may exceed it. */
const BLOCK_LENGTH = 4_096;

/** Blocks longer than this are not merged, or their windows might become more than a text vector takes. */
const MAX_MERGED_LENGTH = 2 * BLOCK_LENGTH;

/** Short blocks are merged when this many lie side by side where one would do. */
const MERGED_AT_ONCE = 4;

/** An arbitrary number; beside it stands the table. */
const MERGE_LOCK = 7_317_005;

/** As in the migration of 2026-11-21. */
const WINDOW_END = 'chr(29)';

function withoutHeads(table: string): readonly string[] {
  const search = `${table}_search`;
  return [
    `drop trigger keep_head_at_insert on ${search}`,
    `drop trigger keep_head_at_update on ${search}`,
    `drop function keep_${search}_head`,
    `drop table ${search}_head`,
    `drop index ${search}_grams`,
    `drop index ${search}_sample`,
  ];
}

const FUNCTIONS: readonly string[] = [
  'drop function search_grams',
  'drop function search_head',
  'drop function search_sample_grams',
  // What is shorter is the beginning of a window of three, or of what is left of one at the end of a text.
  `create function search_windows(texts text, words text) returns tsvector
   language plpgsql immutable strict parallel safe cost 5000 as $$
   begin
     return array_to_tsvector(array(
       select left(w.text, n.length)
       from unnest(tsvector_to_array(array_to_tsvector(array_remove(string_to_array(
         ${[1, 2, 3].map((from) => `regexp_replace(substr(texts, ${from}), '(...)', '\\1' || ${WINDOW_END}, 'g') || ${WINDOW_END}`).join(' || ')}
         || regexp_replace(words, '[^\\x1e]*(\\x1e(?:[^\\x1e]{1,3})?)', '\\1' || ${WINDOW_END}, 'g'),
         ${WINDOW_END}), '')))) w(text)
       cross join (values (1), (2), (3), (4)) n(length)
       where n.length <= length(w.text)));
   end $$`,
  `comment on function search_windows is
   'Every one, two and three characters in a row, and after a mark those that a later word of a title begins with'`,
  // Below U+0001 there is no character, so that the place of a title that continues another comes after it.
  `create function search_place(title text, id uuid) returns text language sql immutable strict parallel safe
   return replace(title, chr(1), chr(1) || chr(2)) || chr(1) || chr(1) || id`,
  `comment on function search_place is
   'The place of a title and its id among all, as one text in the order of code points'`,
  `create function search_place_title(place text) returns text language sql immutable strict parallel safe
   return replace(left(place, -38), chr(1) || chr(2), chr(1))`,
  `create function search_place_id(place text) returns uuid language sql immutable strict parallel safe
   return right(place, 36)::uuid`,
  `create aggregate search_union(tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '')`,
];

/** The blocks of the rows of a table or a transition table. */
function blocksOf({ table, spaces }: Searched, source: string): string {
  return `
    insert into ${table}_search_block (space, low, high, length, windows)
    select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length),
      array_to_tsvector(array[f.space::text])
        || search_windows(string_agg(f.texts, ${WINDOW_END}), string_agg(f.words, ${WINDOW_END}))
    from (
      select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
        / ${BLOCK_LENGTH} as block
      from (
        select s.space, r.place, r.texts, r.words, r.length, (
          select b.low from ${table}_search_block b where b.space = s.space and b.low <= r.place collate "C"
          order by b.low desc limit 1) as before
        from (select t.*, length(t.texts) as length from (
          select ${spaces.includes('org_id') ? 'org_id, ' : ''}search_place(title, id) as place, words,
            coalesce(texts, long_texts) as texts
          from ${source} where not is_odd) t) r
        cross join lateral (values ${spaces}) s(space)
      ) a
    ) f
    group by f.space, f.before, f.block`;
}

function blockTable(searched: Searched): readonly string[] {
  const search = `${searched.table}_search`;
  const block = `${search}_block`;
  return [
    // The windows alone are kept apart: whoever reads which blocks there are has no use for them.
    `create table ${block} (
      space uuid not null,
      low text collate "C" not null,
      high text collate "C" not null,
      length integer not null,
      windows tsvector not null
    ) with (toast_tuple_target = 128)`,
    `alter table ${block} alter column low set storage main, alter column high set storage main`,
    `comment on table ${block} is
     'Stretches of ${search} in order, with the windows of their texts: those of an organization (space), and of all'`,
    `create index ${block}_low on ${block} (space, low)`,
    blocksOf(searched, search),
    `create index ${block}_windows on ${block} using gin (windows) with (gin_pending_list_limit = 128)`,
    // Nobody reads them but searches, and those only to look further in their scope; so they are of no tenant.
    `create function keep_${block}() returns trigger language plpgsql
     security definer set search_path = public, pg_temp as $$
     begin
       ${blocksOf(searched, 'added')};
       return null;
     end $$`,
    ...['insert', 'update'].map(
      (change) =>
        `create trigger keep_block_at_${change} after ${change} on ${search} referencing new table as added
         for each statement execute function keep_${block}()`,
    ),
    `create function merge_${block}(most integer) returns integer language plpgsql
     security definer set search_path = public, pg_temp as $$
     declare
       merged integer;
     begin
       if not pg_try_advisory_xact_lock(${MERGE_LOCK}, '${block}'::regclass::oid::integer) then
         return 0;
       end if;
       with placed as materialized (
         select ctid as at, space,
           (sum(length) over (partition by space order by low, ctid) - length) / ${BLOCK_LENGTH} as block
         from ${block} where length <= ${MAX_MERGED_LENGTH}
       ), crowded as materialized (
         select space, block from placed group by space, block having count(*) >= ${MERGED_AT_ONCE} limit most
       ), gone as (
         delete from ${block} b using placed p join crowded c on c.space = p.space and c.block = p.block
         where b.ctid = p.at returning b.space, b.low, b.high, b.length, b.windows, p.block
       )
       insert into ${block} (space, low, high, length, windows)
       select space, min(low), max(high), sum(length), search_union(windows) from gone group by space, block;
       get diagnostics merged = row_count;
       return merged;
     end $$`,
    `comment on function merge_${block} is
     'Merges short blocks that lie side by side into at most so many, and returns into how many'`,
  ];
}
