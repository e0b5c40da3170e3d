/**
 * A large load beside a running service makes the blocks of searches when it has written all titles: chunk by chunk
 * they were many and short, and a third of its time. What it has written meanwhile is kept in tables of its own, which
 * are there for this transaction alone. As in the migration `initial-load`, whoever commits before the blocks are made
 * is refused.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123LateBlocks extends Migration {
  override name = 'Migration20261123LateBlocks';

  override up(): void {
    for (const searched of SEARCHED) for (const statement of lateBlocks(searched)) this.addSql(statement);
    for (const statement of BEGIN_LATE_BLOCKS) this.addSql(statement);
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

/** As in the migration `blocks-in-bulk`. */
const WORKERS = 2;

const hasOwner = ({ spaces }: Searched) => spaces.includes('org_id');

/** The titles that were written, of which `added` is a transition table. */
const addedTitles = (searched: Searched) =>
  `select ${hasOwner(searched) ? 'org_id, ' : ''}search_place(title, id) as place, words,
     coalesce(texts, long_texts) as texts
   from added where not is_odd`;

/** As in the migration `first-blocks`: titles in blocks, each of them next to a block that is there, or of it. */
const inBlocks = ({ table, spaces }: Searched, titles: string) =>
  `select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
     / ${BLOCK_LENGTH} as block
   from (
     select s.space, r.place, r.texts, r.words, r.length, b.low as before,
       coalesce(b.is_first,
         (select l.is_first from ${table}_search_block l where l.space = s.space order by l.low limit 1),
         false) as is_first
     from (select t.*, length(t.texts) as length from (${titles}) t) r
     cross join lateral (values ${spaces}) s(space)
     left join lateral (
       select b.low, b.is_first from ${table}_search_block b
       where b.space = s.space and b.low <= r.place collate "C"
       order by b.low desc limit 1) b on true
   ) a`;

const OF_A_BLOCK = `f.space, min(f.place collate "C") as low, max(f.place collate "C") as high,
  sum(f.length)::integer as length, bool_or(f.is_first) as is_first`;

const ITS_TEXTS = `string_agg(f.texts, ${WINDOW_END})`;
const ITS_WORDS = `string_agg(f.words, ${WINDOW_END})`;
const BY_BLOCK = 'group by f.space, f.before, f.block';

const windowsOf = (space: string, texts: string, words: string) =>
  `array_to_tsvector(array[${space}::text]) || search_windows(${texts}, ${words})`;

function lateBlocks(searched: Searched): readonly string[] {
  const block = `${searched.table}_search_block`;
  const late = lateTable(searched);
  const owner = hasOwner(searched) ? 'org_id, ' : '';
  return [
    `create or replace function keep_${block}() returns trigger language plpgsql
     security definer set search_path = public, pg_temp as $$
     begin
       if to_regclass('${late}') is not null then
         insert into ${late} (${owner}place, words, texts) ${addedTitles(searched)};
         return null;
       end if;
       insert into ${block} (space, low, high, length, is_first, windows)
       select ${OF_A_BLOCK}, ${windowsOf('f.space', ITS_TEXTS, ITS_WORDS)}
       from (${inBlocks(searched, addedTitles(searched))}) f ${BY_BLOCK};
       return null;
     end $$`,
    // Workers read no temporary tables.
    `create function make_late_${block}() returns void language plpgsql
     set search_path = public, pg_temp set parallel_setup_cost = 0 set parallel_tuple_cost = 0 as $$
     begin
       analyze ${late};
       create unlogged table ${block}_text with (parallel_workers = ${WORKERS}) as
       select ${OF_A_BLOCK}, ${ITS_TEXTS} as texts, ${ITS_WORDS} as words
       from (${inBlocks(searched, `select ${owner}place, words, texts from ${late}`)}) f ${BY_BLOCK};
       drop table ${late};
       create unlogged table ${block}_made as
       select space, low, high, length, is_first, ${windowsOf('space', 'texts', 'words')} as windows
       from ${block}_text;
       insert into ${block} (space, low, high, length, is_first, windows)
       select space, low, high, length, is_first, windows from ${block}_made;
       drop table ${block}_text, ${block}_made;
     end $$`,
    `revoke execute on function make_late_${block} from public`,
  ];
}

function lateTable({ table }: Searched): string {
  return `${table}_search_late`;
}

const BEGIN_LATE_BLOCKS: readonly string[] = [
  `create function begin_late_blocks() returns void language plpgsql
   security definer set search_path = public, pg_temp as $$
   begin
     ${SEARCHED.map(
       (searched) =>
         `create unlogged table ${lateTable(searched)} (
            ${hasOwner(searched) ? 'org_id uuid not null, ' : ''}place text not null, words text not null,
            texts text not null
          );`,
     ).join('\n     ')}
     insert into initial_load (statement) values
       ${SEARCHED.map(({ table }) => `('select make_late_${table}_search_block()')`).join(', ')};
   end $$`,
  'revoke execute on function begin_late_blocks from public',
  `comment on function begin_late_blocks is
   'Has the blocks of all titles that this transaction writes from now on made by end_initial_load()'`,
  `comment on table initial_load is
   'What a load puts off until all is written: indexes, keys and blocks of searches; empty at every commit'`,
];
