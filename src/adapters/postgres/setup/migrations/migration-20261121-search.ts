/**
 * What searches read: beside each device, script and alert a narrow row with its folded title and texts. Triggers on
 * the columns it derives from maintain it, so that no writer can forget it and no heartbeat touches it.
 *
 * Titles are walked in order through indexes that contain the texts as well; a text too rare for a walk is found by
 * its windows, the three-character substrings of all texts. Every 256th row also has windows of one and two
 * characters, from which a search estimates which way is cheaper.
 *
 * Names of machines come in families: `desktop-7f3a9` has the head `desktop-`. A text within a head is common, but
 * only in its family, so that a walk meets it late and windows find far too many rows. So each head is stored once,
 * and windows within heads are distinct from others; a text within a head is found through the titles that begin
 * with the head.
 *
 * Rows whose title does not fit into an index are few, marked (`is_odd`), and checked one by one.
 */
import { Migration } from '@mikro-orm/migrations';
import { LETTERS_AND_DIGITS } from './letters-and-digits-unicode-17.ts';

export class Migration20261121Search extends Migration {
  override name = 'Migration20261121Search';

  override async up(): Promise<void> {
    // Policies that are already in force also apply to the owner.
    for (const { table } of SEARCHED) await this.execute(`alter table ${table} no force row level security`);
    for (const statement of COMPANIONS) await this.execute(statement);
    await this.#fold('script', ['name', 'description']);
    await this.#fold('alert', ['title', 'message']);
    for (const statement of functions()) await this.execute(statement);
    for (const searched of SEARCHED) {
      for (const statement of searchTable(searched)) await this.execute(statement);
    }
    for (const { table } of SEARCHED) await this.execute(`alter table ${table} force row level security`);
  }

  /** Folds existing rows, which only the service can do. */
  async #fold(table: string, columns: readonly string[]): Promise<void> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows: Record<string, string | null>[] = await this.execute(
        `select id, ${columns.join(', ')} from ${table} where id > ? order by id limit ${FOLD_BATCH}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = String(last.id);
      const folded = rows.map((row) => ({
        id: row.id,
        ...Object.fromEntries(columns.map((column) => [column, foldedCompanion(row[column] ?? null)])),
      }));
      await this.execute(
        `update ${table} t set ${columns.map((column) => `${column}_lc = f.${column}`).join(', ')}
         from json_to_recordset(?::json) f(id uuid, ${columns.map((column) => `${column} text`).join(', ')})
         where t.id = f.id and (${columns.map((column) => `f.${column} is not null`).join(' or ')})`,
        [JSON.stringify(folded)],
      );
    }
  }
}

const FOLD_BATCH = 2_000;

/** A table with what of its rows is searched, as expressions over the row `r`. */
interface Searched {
  readonly table: string;
  readonly title: string;
  /** The texts beside the title; NULL where there is none. */
  readonly otherTexts: readonly string[];
  /** The columns that these depend on. */
  readonly columns: readonly string[];
  /** Whether a row can belong to a partner in place of an organization. */
  readonly isOfPartnerToo: boolean;
}

const folded = (column: string) => `coalesce(r.${column}_lc, r.${column})`;
const withCompanion = (column: string) => [column, `${column}_lc`];

const SEARCHED: readonly Searched[] = [
  {
    table: 'device',
    title: `coalesce(nullif(${folded('display_name')}, ''), r.hostname_lc)`,
    otherTexts: [`case when r.display_name <> '' then r.hostname_lc end`, folded('last_user')],
    columns: ['hostname_lc', ...withCompanion('display_name'), ...withCompanion('last_user')],
    isOfPartnerToo: false,
  },
  {
    table: 'script',
    title: folded('name'),
    otherTexts: [folded('description')],
    columns: [...withCompanion('name'), ...withCompanion('description')],
    isOfPartnerToo: true,
  },
  {
    table: 'alert',
    title: folded('title'),
    otherTexts: [folded('message')],
    columns: [...withCompanion('title'), ...withCompanion('message')],
    isOfPartnerToo: false,
  },
];

const COMPANIONS: readonly string[] = [
  'alter table script add column name_lc text collate "C", add column description_lc text collate "C"',
  'alter table alert add column title_lc text collate "C", add column message_lc text collate "C"',
];

/** Bytes of title, words and text together that an index is sure to take. */
const MAX_INDEXED_BYTES = 2_400;

/** Characters that are cut into windows; of a longer text there may be more than a text vector takes. */
const MAX_WINDOWED_LENGTH = 30_000;

/** Characters of a head with its marks. */
const MAX_HEAD_LENGTH = 80;

/** None of these is anything but a mark here: within a head, between windows, where a word begins, where a text ends. */
const HEAD_MARK = 'chr(28)';
const WINDOW_END = 'chr(29)';
const WORD_MARK = 'chr(30)';
const TEXT_END = 'chr(31)';

/** Of the title with marks `words`. */
const HEAD_OF_WORDS = `case
  when strpos(words, ${WORD_MARK} || ${WORD_MARK}) > 0 then ''
  when length(words) <= ${MAX_HEAD_LENGTH} and words !~ '[0-9]' then words
  else substring(left(words, ${MAX_HEAD_LENGTH}) from '^((?:[^0-9\\x1e]*\\x1e)*)') end`;

function functions(): readonly string[] {
  return [
    `create function search_words(title text) returns text language plpgsql immutable strict parallel safe as $$
     begin
       return case when octet_length(title) = length(title)
         then regexp_replace(title, '([^0-9A-Za-z])', '\\1' || ${WORD_MARK}, 'g')
         else regexp_replace(title collate "C", '([^0-9A-Za-z${lettersAndDigits()}])', '\\1' || ${WORD_MARK}, 'g')
       end;
     end $$`,
    `comment on function search_words is
     'The title with a mark (U+001E) after every character that is neither letter nor digit, as the service has it'`,
    `create function search_head(words text) returns text language plpgsql immutable strict parallel safe as $$
     begin
       return ${HEAD_OF_WORDS};
     end $$`,
    `comment on function search_head is
     'Of a title with marks what stands before the first word with a digit in it; all of a short title without one'`,
    // Written in PL/pgSQL, because the planner takes what it can inline for cheap and evaluates it for every row.
    // What it calls has to be PostgreSQL's own: indexes are made and analysed without a search path.
    `create function search_grams(texts text, words text) returns tsvector
     language plpgsql immutable strict parallel safe cost 5000 as $$
     declare
       head text := ${HEAD_OF_WORDS};
       bare text := replace(head, ${WORD_MARK}, '');
       tail text := substr(texts, greatest(length(bare) - 1, 1));
       last_words text := substr(words, length(head) + 1);
     begin
       return array_to_tsvector(array_remove(string_to_array(
         ${windows('tail', 3)}
         || ${[0, 1, 2]
           .map(
             (from) =>
               `regexp_replace(left(substr(bare, ${from + 1}), (length(bare) - ${from}) / 3 * 3), '(...)',
                  ${HEAD_MARK} || '\\1' || ${WINDOW_END}, 'g')`,
           )
           .join(' || ')}
         || ${words(`case when head = '' or last_words = '' then last_words else ${WORD_MARK} || last_words end`, 3)}
         || ${words(`regexp_replace(head, '\\x1e$', '')`, 3, `${HEAD_MARK} || `)},
         ${WINDOW_END}), ''));
     end $$`,
    `comment on function search_grams is
     'Every three characters in a row, with fewer at the end; after a mark the first three of each later word of the title; and after another mark what of these is within its head'`,
    `create function search_sample_grams(texts text, words text) returns tsvector
     language plpgsql immutable strict parallel safe cost 5000 as $$
     begin
       return array_to_tsvector(array_remove(string_to_array(
         ${[1, 2, 3].map((length) => windows('texts', length)).join(' || ')}
         || ${[1, 2, 3].map((length) => words('words', length)).join(' || ')},
         ${WINDOW_END}), ''));
     end $$`,
    `comment on function search_sample_grams is
     'Every one, two and three characters in a row, and after a mark those that a later word of the title begins with'`,
  ];
}

/** All windows of so many characters, cut from each place at which a row of them can begin. */
function windows(text: string, length: number): string {
  return Array.from(
    { length },
    (_, i) =>
      `regexp_replace(${i === 0 ? text : `substr(${text}, ${i + 1})`}, '(${'.'.repeat(length)})',
         '\\1' || ${WINDOW_END}, 'g') || ${WINDOW_END}`,
  ).join(' || ');
}

/** What the words begin with that have a mark before them, mark included. */
function words(marked: string, length: number, before = ''): string {
  return `regexp_replace(${marked}, '[^\\x1e]*(\\x1e(?:[^\\x1e]{1,${length}})?)',
    ${before}'\\1' || ${WINDOW_END}, 'g') || ${WINDOW_END}`;
}

/** The table, its indexes and what keeps it. */
function searchTable({ table, title, otherTexts, columns, isOfPartnerToo }: Searched): readonly string[] {
  const search = `${table}_search`;
  const owner = isOfPartnerToo ? 'org_id, partner_id' : 'org_id';
  const grams = (name: string) => `${name}(coalesce(texts, long_texts), words)`;
  const from = (source: string) => `
    select t.id, ${owner
      .split(', ')
      .map((column) => `t.${column}`)
      .join(', ')}, t.title, t.words,
      case when t.bytes <= ${MAX_INDEXED_BYTES} then t.texts end,
      case when t.bytes > ${MAX_INDEXED_BYTES} then t.texts end,
      octet_length(t.title) + octet_length(t.words) > ${MAX_INDEXED_BYTES}
        or length(t.texts) > ${MAX_WINDOWED_LENGTH}
    from (
      select w.*, octet_length(w.title) + octet_length(w.words) + octet_length(w.texts) as bytes
      from (select t.*, search_words(t.title) as words
            from (select r.id, ${owner
              .split(', ')
              .map((column) => `r.${column}`)
              .join(
                ', ',
              )}, ${title} as title, concat_ws(${TEXT_END}, ${[title, ...otherTexts].join(', ')}) as texts
                  from ${source}) t) w
    ) t`;
  const written = `(id, ${owner}, title, words, texts, long_texts, is_odd)`;
  const changed = ['org_id', ...(isOfPartnerToo ? ['partner_id'] : []), ...columns];
  return [
    `create table ${search} (
      id uuid primary key references ${table} on delete cascade,
      org_id uuid ${isOfPartnerToo ? '' : 'not null '}references organization,
      ${isOfPartnerToo ? 'partner_id uuid references partner,' : ''}
      is_odd boolean not null,
      title text collate "C" not null,
      words text collate "C" not null,
      texts text collate "C",
      long_texts text collate "C",
      check (num_nonnulls(texts, long_texts) = 1)
    )`,
    `comment on table ${search} is
     'What is searched of a ${table}, folded and kept by triggers: its title, the title with its words marked, and all texts (U+001F between them), the long ones apart'`,
    `create table ${search}_head (words text collate "C" not null)`,
    `comment on table ${search}_head is
     'The heads of all titles, with their words marked; some more than once, where two were added at a time, and some of titles that are gone'`,
    // Nobody reads them but searches, and those only to look further in their scope; so they are of no tenant.
    `create function keep_${search}_head() returns trigger language plpgsql
     security definer set search_path = public, pg_temp as $$
     begin
       insert into ${search}_head (words)
       select a.words from (select distinct search_head(words) as words from added where not is_odd) a
       where not exists (select from ${search}_head h where h.words = a.words collate "C");
       return null;
     end $$`,
    `create function keep_${search}() returns trigger language plpgsql as $$
     begin
       insert into ${search} ${written} ${from('added r')} order by t.org_id, t.title, t.id;
       return null;
     end $$`,
    `create function change_${search}() returns trigger language plpgsql as $$
     begin
       update ${search} s
       set (id, ${owner}, title, words, texts, long_texts, is_odd) = (${from('(select new.*) r')})
       where s.id = old.id;
       return null;
     end $$`,
    `insert into ${search} ${written} ${from(`${table} r`)} order by t.org_id, t.title, t.id`,
    `insert into ${search}_head select distinct search_head(words) from ${search} where not is_odd`,
    `create index ${search}_head_words on ${search}_head (words)`,
    ...['insert', 'update'].map(
      (change) =>
        `create trigger keep_head_at_${change} after ${change} on ${search} referencing new table as added
         for each statement execute function keep_${search}_head()`,
    ),
    `create index ${search}_titles on ${search} (title, id) include (${owner}, words, texts) where not is_odd`,
    `create index ${search}_org_titles on ${search} (org_id, title, id) include (words, texts) where not is_odd`,
    `create index ${search}_odd on ${search} (org_id) where is_odd`,
    // A short list of what is still to be sorted in makes writing several times faster, and reading hardly slower.
    `create index ${search}_grams on ${search} using gin (${grams('search_grams')})
     with (gin_pending_list_limit = 128) where not is_odd`,
    `create index ${search}_sample on ${search} using gin (${grams('search_sample_grams')})
     with (gin_pending_list_limit = 64) where not is_odd and (uuid_hash(id) & 255) = 0`,
    `create index ${search}_sample_org on ${search} (org_id) where not is_odd and (uuid_hash(id) & 255) = 0`,
    `create trigger keep_search after insert on ${table} referencing new table as added
     for each statement execute function keep_${search}()`,
    `create trigger change_search after update of ${changed.join(', ')} on ${table} for each row
     when ((${changed.map((column) => `old.${column}`).join(', ')})
       is distinct from (${changed.map((column) => `new.${column}`).join(', ')}))
     execute function change_${search}()`,
  ];
}

/** `LETTERS_AND_DIGITS` as ranges of a regular expression. */
function lettersAndDigits(): string {
  const ranges = LETTERS_AND_DIGITS.trim().split(/\s+/);
  return ranges
    .map((range) => {
      const [first = '', last = first] = range.split('-');
      return `${escaped(first)}-${escaped(last)}`;
    })
    .join('');
}

function escaped(code: string): string {
  return `\\U${code.padStart(8, '0')}`;
}

/** The folded text, or null if folding changes nothing; as the service folded when this migration was written. */
function foldedCompanion(text: string | null): string | null {
  if (text === null) return null;
  // The only characters whose toLowerCase differs from their simple mapping.
  const folded = text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();
  return folded === text ? null : folded;
}
