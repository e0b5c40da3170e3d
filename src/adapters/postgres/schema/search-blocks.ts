/**
 * Sorted titles are cut into blocks of about a hundred. An inverted index lists each block's windows: all runs of one,
 * two and three characters, and the beginnings of words. A search reads only blocks that have all windows of its text,
 * in order, until it has enough rows.
 *
 * Each organization has its own blocks (a space), so other tenants' titles cost it no time. The space with the zero id
 * has all titles. Writers only add blocks, each between two others, so they never wait for each other, and a committed
 * title is always in a block. A removed title stays in its block, which costs a search one useless look-up.
 *
 * The first blocks of a large space have separate indexes. With these, a search for a common text need not sort
 * thousands of other blocks. All first blocks come before all others, and their end never moves: a new title belongs to
 * the first blocks if the block before it does.
 */
const sql = String.raw;

export interface SearchedBlocks {
  readonly table: string;
  /**
   * Set if rows are also in their organization's space. Scripts are not, because many organizations see a
   * partner's script.
   */
  readonly owner: 'org_id, ' | '';
}

export const SEARCHED_BLOCKS: readonly SearchedBlocks[] = [
  { table: 'device', owner: 'org_id, ' },
  { table: 'script', owner: '' },
  { table: 'alert', owner: 'org_id, ' },
];

const EVERYTHING = `'00000000-0000-0000-0000-000000000000'::uuid`;

const spaces = ({ owner }: SearchedBlocks) =>
  owner === '' ? `(${EVERYTHING})` : `(r.org_id), (${EVERYTHING})`;

/** In characters. The last title of a block may extend beyond this length. */
const BLOCK_LENGTH = 4_096;

/** Longer blocks are not merged, because a tsvector might be too small for their windows. */
const MAX_MERGED_LENGTH = 2 * BLOCK_LENGTH;

/** Short neighbors are merged when at least this many make one block. */
const MERGED_AT_ONCE = 4;

/** The lock `search-blocks` of `lock-number.ts`. The second half of its key is the table's id. */
const MERGE_LOCK = 7_317_005;

/** Parallel processes besides the leader. The server may grant fewer. */
const WORKERS = 2;

/**
 * How many blocks at the beginning of a space have separate indexes: none if the space has fewer than twice
 * as many blocks.
 */
const FIRST = 256;

/** Stored texts never contain these characters. */
const WINDOW_END = 'chr(29)';
const WORD_MARK = 'chr(30)';

/** All windows of three characters, cut from each of three offsets. */
const WINDOWS = ['texts', 'substr(texts, 2)', 'substr(texts, 3)']
  .map((from) => sql`regexp_replace(${from}, '...', '\&' || ${WINDOW_END}, 'g')`)
  .join(` || ${WINDOW_END} || `);

/** The beginnings of all words of a title but the first word, each after a mark. */
const STARTS = sql`select left(${WORD_MARK} || split_part(w, ${WINDOW_END}, 1), 4)
      from unnest((string_to_array(words, ${WORD_MARK}))[2:]) w`;

/**
 * Splits texts at each joint: a character of ASCII that is neither letter nor digit. Each word begins with
 * its joint. The first element is empty. Separators between texts count as joints.
 */
const JOINED = sql`string_to_array(${WORD_MARK}
      || regexp_replace(texts, '([\x01-\x2f:-@[-${'`'}{-\x7f])', ${WORD_MARK} || '\1', 'g'), ${WORD_MARK})`;

/**
 * For each joint, a window of the two characters before it and the three after it. After a short word,
 * another window adds the whole word and two characters before it. Searches never look for windows across the
 * end of a text, so most are left out.
 */
const JOINTS = sql`select unnest(array[
        right(last, 2) || left(next, 4),
        case when length(last) <= 4 then right(second_last, 2) || last || left(next, 4) end])
      from unnest(joined[:cardinality(joined) - 2], joined[2:cardinality(joined) - 1], joined[3:]) w(second_last, last, next)
      where ascii(next) > 31`;

/**
 * `search_windows` cuts shorter windows from the beginnings of longer ones. `search_place` puts U+0001, the
 * lowest character, after a title, so `acme` sorts before `acme reader`.
 */
export const BLOCK_FUNCTIONS = sql`
  create function search_windows(texts text, words text) returns tsvector
    language plpgsql immutable strict parallel safe cost 5000 as $$
    declare
      three tsvector := array_to_tsvector(array_remove(string_to_array(${WINDOWS}, ${WINDOW_END}), ''));
      two tsvector := array_to_tsvector(array(select left(w, 2) from unnest(tsvector_to_array(three)) w));
      one tsvector := array_to_tsvector(array(select left(w, 1) from unnest(tsvector_to_array(two)) w));
      starts tsvector := array_to_tsvector(array(${STARTS}));
      joined text[] := ${JOINED};
      joints tsvector := array_to_tsvector(array_remove(array(${JOINTS}), null));
    begin
      return joints || (three || (two || (one || array_to_tsvector(array(
        select left(w, n) from unnest(tsvector_to_array(starts)) w cross join generate_series(1, 4) n)))));
    end $$;
  comment on function search_windows is
    'Every one, two and three characters in a row; after a mark those that a later word of a title begins with; and what stands around a joint, a character of ASCII that is neither letter nor digit';

  create function search_place(title text, id uuid) returns text language sql immutable strict parallel safe
    return replace(title, chr(1), chr(1) || chr(2)) || chr(1) || chr(1) || id;
  comment on function search_place is
    'The place of a title and its id among all, as one text in the order of code points';

  create function search_place_title(place text) returns text language sql immutable strict parallel safe
    return replace(left(place, -38), chr(1) || chr(2), chr(1));

  create function search_place_id(place text) returns uuid language sql immutable strict parallel safe
    return right(place, 36)::uuid;

  create aggregate search_union(tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '');
`;

/**
 * Groups the titles of the transition table `added` into new blocks. Titles share a new block only if the
 * same existing block is the nearest before them.
 */
const inBlocks = (searched: SearchedBlocks) =>
  sql`select a.*, (sum(a.length) over (partition by a.space, a.before order by a.place collate "C") - a.length)
        / ${BLOCK_LENGTH} as block
      from (
        select s.space, r.place, r.texts, r.words, r.length, b.low as before,
          coalesce(b.is_first,
            (select l.is_first from ${searched.table}_search_block l where l.space = s.space order by l.low limit 1),
            false) as is_first
        from (
          select t.*, length(t.texts) as length from (
            select ${searched.owner}search_place(title, id) as place, words, coalesce(texts, long_texts) as texts
            from added where not is_odd
          ) t
        ) r
        cross join lateral (values ${spaces(searched)}) s(space)
        left join lateral (
          select b.low, b.is_first from ${searched.table}_search_block b
          where b.space = s.space and b.low <= r.place collate "C"
          order by b.low desc limit 1) b on true
      ) a`;

/** A low toast target stores windows out of line, because most reads do not need them. */
const blockTable = ({ table }: SearchedBlocks) => sql`
  create table ${table}_search_block (
    space uuid not null,
    low text collate "C" not null,
    high text collate "C" not null,
    length integer not null,
    windows tsvector not null,
    is_first boolean not null default false
  ) with (toast_tuple_target = 128);
  alter table ${table}_search_block alter column low set storage main, alter column high set storage main;
  comment on table ${table}_search_block is
    'Stretches of ${table}_search in order, with the windows of their texts: those of an organization (space), and of all';

  create index ${table}_search_block_low on ${table}_search_block (space, low) include (is_first);
  create index ${table}_search_block_all_first on ${table}_search_block using gin (windows)
    where is_first and space = ${EVERYTHING};
  create index ${table}_search_block_all_others on ${table}_search_block using gin (windows)
    where not is_first and space = ${EVERYTHING};
  create index ${table}_search_block_own_first on ${table}_search_block using gin (windows)
    where is_first and space <> ${EVERYTHING};
  create index ${table}_search_block_own on ${table}_search_block using gin (windows)
    where space <> ${EVERYTHING};
`;

/**
 * Blocks hold titles of all tenants, so these functions run as the owner. A search that reads blocks then
 * reads only rows within its scope.
 */
const keepBlocks = (searched: SearchedBlocks) => {
  const { table } = searched;
  const block = `${table}_search_block`;
  return sql`
  create function keep_${block}() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$
    begin
      insert into ${block} (space, low, high, length, is_first, windows)
      select f.space, min(f.place collate "C"), max(f.place collate "C"), sum(f.length)::integer, bool_or(f.is_first),
        array_to_tsvector(array[f.space::text])
          || search_windows(string_agg(f.texts, ${WINDOW_END}), string_agg(f.words, ${WINDOW_END}))
      from (${inBlocks(searched)}) f group by f.space, f.before, f.block;
      return null;
    end $$;
  create trigger keep_block_at_insert after insert on ${table}_search referencing new table as added
    for each statement execute function keep_${block}();
  create trigger keep_block_at_update after update on ${table}_search referencing new table as added
    for each statement execute function keep_${block}();

  create function merge_${block}(most integer) returns integer language plpgsql
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
    end $$;
  comment on function merge_${block} is
    'Merges short blocks that lie side by side into at most so many, and returns into how many';
`;
};

/** Makes all blocks after an initial load, in unlogged tables, because parallel workers cannot read temporary ones. */
const fillBlocks = (searched: SearchedBlocks) => {
  const { table, owner } = searched;
  const block = `${table}_search_block`;
  return sql`
  create function fill_${block}() returns void language plpgsql
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
            from ${table}_search where not is_odd
          ) r cross join lateral (values ${spaces(searched)}) s(space)
        ) a
      ) f
      group by f.space, f.block;
      create unlogged table ${block}_made as
      select space, block, low, high, length,
        array_to_tsvector(array[space::text]) || search_windows(texts, words) as windows
      from ${block}_text;
      insert into ${block} (space, low, high, length, is_first, windows)
      select m.space, m.low, m.high, m.length, m.block < ${FIRST} and s.last >= ${2 * FIRST}, m.windows
      from ${block}_made m join (select space, max(block) as last from ${block}_made group by space) s using (space);
      drop table ${block}_text, ${block}_made;
    end $$;
  revoke execute on function fill_${block} from public;
`;
};

export const SEARCH_BLOCKS = SEARCHED_BLOCKS.flatMap((searched) =>
  [blockTable, keepBlocks, fillBlocks].map((part) => part(searched)),
).join('');
