/**
 * The name of a machine, `silva-lt-511`, is made of parts that very many share: by chance, hundreds of blocks had all
 * of its windows in different titles, and the search for it walked them all. What stands around each joint is one
 * window more, and where a short word stands between two joints, so is what stands around both; of these a block has
 * what its titles have together.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123SearchJoints extends Migration {
  override name = 'Migration20261123SearchJoints';

  override up(): void {
    this.addSql(SEARCH_WINDOWS);
    this.addSql(
      `comment on function search_windows is
       'Every one, two and three characters in a row; after a mark those that a later word of a title begins with; and what stands around a joint, a character of ASCII that is neither letter nor digit'`,
    );
    for (const table of SEARCHED) {
      // Policies that are already in force also apply to the owner.
      this.addSql(`alter table ${table}_search no force row level security`);
      // Blocks that are deleted would stay in their indexes.
      this.addSql(`truncate ${table}_search_block`);
      this.addSql(`select fill_${table}_search_block()`);
      this.addSql(`alter table ${table}_search force row level security`);
    }
  }
}

const SEARCHED: readonly string[] = ['device', 'script', 'alert'];

/** As in the migration of 2026-11-21. */
const WINDOW_END = 'chr(29)';
const WORD_MARK = 'chr(30)';

/** As in the migration `search-windows`. */
const WINDOWS = ['texts', 'substr(texts, 2)', 'substr(texts, 3)']
  .map((from) => `regexp_replace(${from}, '...', '\\&' || ${WINDOW_END}, 'g')`)
  .join(` || ${WINDOW_END} || `);

/** As in the migration `search-windows`. */
const STARTS = `select left(${WORD_MARK} || split_part(w, ${WINDOW_END}, 1), 4)
  from unnest((string_to_array(words, ${WORD_MARK}))[2:]) w`;

/** The words with the joint before each, after an empty one. A mark that a text has splits it as well. */
const JOINED = `string_to_array(${WORD_MARK}
  || regexp_replace(texts, '([\\x01-\\x2f:-@[-\`{-\\x7f])', ${WORD_MARK} || '\\1', 'g'), ${WORD_MARK})`;

/**
 * Two characters of the word before and three behind the joint; and where that word is short, all of it with two
 * characters of the one before. None of those around the end of a text is asked for; the most are left out here.
 */
const JOINTS = `select unnest(array[
    right(last, 2) || left(next, 4),
    case when length(last) <= 4 then right(second_last, 2) || last || left(next, 4) end])
  from unnest(joined[:cardinality(joined) - 2], joined[2:cardinality(joined) - 1], joined[3:]) w(second_last, last, next)
  where ascii(next) > 31`;

const SEARCH_WINDOWS = `create or replace function search_windows(texts text, words text) returns tsvector
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
  end $$`;
