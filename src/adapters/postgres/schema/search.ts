/**
 * Each device, script and alert has a narrow row, which triggers maintain. Heartbeats do not touch it. Titles
 * are read in order through indexes that include the texts; `search-blocks.ts` finds rare texts.
 */
import { LETTERS_AND_DIGITS } from './letters-and-digits-unicode-17.ts';

const sql = String.raw;

/**
 * Title, words and texts of this many bytes in total always fit into an index entry. Longer texts go into
 * `long_texts`. If title and words alone are longer, the row is `is_odd`.
 */
const MAX_INDEXED_BYTES = 2_400;

/** In characters. A tsvector might be too small for the windows of a longer text. */
const MAX_WINDOWED_LENGTH = 30_000;

const WORD_MARK = 'chr(30)';
const TEXT_END = 'chr(31)';

const letterRanges = LETTERS_AND_DIGITS.trim()
  .split(/\s+/)
  .map((range) => {
    const [first = '', last = first] = range.split('-').map((code) => sql`\U${code.padStart(8, '0')}`);
    return `${first}-${last}`;
  })
  .join('');

/**
 * The functions are in PL/pgSQL, because the planner would inline SQL functions, consider them cheap and
 * evaluate them for every row. They call only builtin functions, because indexes are built without a search
 * path. pg_trgm recognizes letters by the server's locale, so `search_alike` gives it only ASCII.
 */
export const SEARCH_FUNCTIONS = sql`
  create function search_words(title text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      return case when octet_length(title) = length(title)
        then regexp_replace(title, '([^0-9A-Za-z])', '\1' || ${WORD_MARK}, 'g')
        else regexp_replace(title collate "C", '([^0-9A-Za-z${letterRanges}])', '\1' || ${WORD_MARK}, 'g')
      end;
    end $$;
  comment on function search_words is
    'The title with a mark (U+001E) after every character that is neither letter nor digit, as the service has it';

  create function search_alike(title text, words text) returns text
    language plpgsql immutable strict parallel safe as $$
    begin
      return case when octet_length(title) = length(title) then title else (
        select string_agg(case when ascii(s.c) < 128 then s.c else chr(97 + ascii(s.c) % 26) end, '' order by s.n)
        from string_to_table(
          replace(regexp_replace(words collate "C", '[^\u0001-\u007f]\u001e', ' ', 'g'), chr(30), ''), null
        ) with ordinality s(c, n))
      end;
    end $$;
  comment on function search_alike is
    'The title for pg_trgm: beyond ASCII, each letter or digit as one of a to z, and all else as a space';
`;

/** `title` and `otherTexts` are SQL expressions over the row `r`. */
interface SearchedTable {
  readonly table: string;
  readonly owners: readonly string[];
  readonly title: string;
  readonly otherTexts: readonly string[];
  /** The columns from which title and texts are made. */
  readonly columns: readonly string[];
}

const folded = (column: string) => `coalesce(r.${column}_lc, r.${column})`;

const SEARCHED: readonly SearchedTable[] = [
  {
    table: 'device',
    owners: ['org_id'],
    title: `coalesce(nullif(${folded('display_name')}, ''), r.hostname_lc)`,
    otherTexts: [`case when r.display_name <> '' then r.hostname_lc end`, folded('last_user')],
    columns: ['hostname_lc', 'display_name', 'display_name_lc', 'last_user', 'last_user_lc'],
  },
  {
    table: 'script',
    owners: ['org_id', 'partner_id'],
    title: folded('name'),
    otherTexts: [folded('description')],
    columns: ['name', 'name_lc', 'description', 'description_lc'],
  },
  {
    table: 'alert',
    owners: ['org_id'],
    title: folded('title'),
    otherTexts: [folded('message')],
    columns: ['title', 'title_lc', 'message', 'message_lc'],
  },
];

function searchRows({ title, otherTexts, owners }: SearchedTable, source: string): string {
  const of = (row: string) => owners.map((owner) => `${row}.${owner}`).join(', ');
  return sql`
      select t.id, ${of('t')}, t.title, t.words,
        case when t.bytes <= ${MAX_INDEXED_BYTES} then t.texts end,
        case when t.bytes > ${MAX_INDEXED_BYTES} then t.texts end,
        octet_length(t.title) + octet_length(t.words) > ${MAX_INDEXED_BYTES}
          or length(t.texts) > ${MAX_WINDOWED_LENGTH}
      from (
        select w.*, octet_length(w.title) + octet_length(w.words) + octet_length(w.texts) as bytes
        from (select t.*, search_words(t.title) as words
              from (select r.id, ${of('r')}, ${title} as title, concat_ws(${TEXT_END}, ${[title, ...otherTexts].join(', ')}) as texts
                    from ${source}) t) w
      ) t`;
}

function searchTable(searched: SearchedTable): string {
  const { table, owners, columns } = searched;
  const search = `${table}_search`;
  const written = ['id', ...owners, 'title', 'words', 'texts', 'long_texts', 'is_odd'].join(', ');
  const changed = [...owners, ...columns];
  const of = (row: string) => changed.map((column) => `${row}.${column}`).join(', ');
  const isOfPartnerToo = owners.includes('partner_id');
  return sql`
  create table ${search} (
    id uuid primary key references ${table} on delete cascade,
    ${
      isOfPartnerToo
        ? 'org_id uuid references organization, partner_id uuid references partner'
        : 'org_id uuid not null'
    },
    is_odd boolean not null,
    title text collate "C" not null,
    words text collate "C" not null,
    texts text collate "C",
    long_texts text collate "C",
    check (num_nonnulls(texts, long_texts) = 1)
  );
  comment on table ${search} is
    'What is searched of a ${table}, folded and kept by triggers: its title, the title with its words marked, and all texts (U+001F between them), the long ones apart';

  create index ${search}_titles on ${search} (title, id) include (${owners.join(', ')}, words, texts) where not is_odd;
  create index ${search}_org_titles on ${search} (org_id, title, id) include (words, texts) where not is_odd;
  create index ${search}_odd on ${search} (org_id) where is_odd;
  create index ${search}_sample_org on ${search} (org_id) where not is_odd and (uuid_hash(id) & 255) = 0;
  -- No plan needs statistics of the trigrams, which would take longer to gather than all others.
  create index ${search}_alike on ${search} using gin (search_alike(title, words) gin_trgm_ops) where not is_odd;
  alter index ${search}_alike alter column 1 set statistics 0;
  ${isOfPartnerToo ? `create index ${search}_partner on ${search} (partner_id) where not is_odd;` : ''}

  create function keep_${search}() returns trigger language plpgsql as $$
    begin
      insert into ${search} (${written}) ${searchRows(searched, 'added r')} order by t.org_id, t.title, t.id;
      return null;
    end $$;
  create trigger keep_search after insert on ${table} referencing new table as added
    for each statement execute function keep_${search}();

  create function change_${search}() returns trigger language plpgsql as $$
    begin
      update ${search} s
      set (${written}) = (${searchRows(searched, '(select new.*) r')})
      where s.id = old.id;
      return null;
    end $$;
  create trigger change_search after update of ${changed.join(', ')} on ${table} for each row
    when ((${of('old')}) is distinct from (${of('new')})) execute function change_${search}();
`;
}

export const SEARCH_TABLES = SEARCHED.map(searchTable).join('');
