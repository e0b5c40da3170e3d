/**
 * The windows of a block in two thirds of the time, which is most of what new titles cost: shorter windows are cut from
 * those of three characters once these are sorted, so that they need no sorting, and words are split without a regular
 * expression. They are the same windows, but for what was left of a block after its last word.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122SearchWindows extends Migration {
  override name = 'Migration20261122SearchWindows';

  override up(): void {
    this.addSql(SEARCH_WINDOWS);
  }
}

/** As in the migration of 2026-11-21. */
const WINDOW_END = 'chr(29)';
const WORD_MARK = 'chr(30)';

/** All windows of three characters, cut from each place at which a row of them can begin. */
const WINDOWS = ['texts', 'substr(texts, 2)', 'substr(texts, 3)']
  .map((from) => `regexp_replace(${from}, '...', '\\&' || ${WINDOW_END}, 'g')`)
  .join(` || ${WINDOW_END} || `);

/** What each later word of a title begins with, mark included. */
const STARTS = `select left(${WORD_MARK} || split_part(w, ${WINDOW_END}, 1), 4)
  from unnest((string_to_array(words, ${WORD_MARK}))[2:]) w`;

// What is shorter is the beginning of a window of three, or of what is left of one at the end of a text.
const SEARCH_WINDOWS = `create or replace function search_windows(texts text, words text) returns tsvector
  language plpgsql immutable strict parallel safe cost 5000 as $$
  declare
    three tsvector := array_to_tsvector(array_remove(string_to_array(${WINDOWS}, ${WINDOW_END}), ''));
    two tsvector := array_to_tsvector(array(select left(w, 2) from unnest(tsvector_to_array(three)) w));
    one tsvector := array_to_tsvector(array(select left(w, 1) from unnest(tsvector_to_array(two)) w));
    starts tsvector := array_to_tsvector(array(${STARTS}));
  begin
    return three || (two || (one || array_to_tsvector(array(
      select left(w, n) from unnest(tsvector_to_array(starts)) w cross join generate_series(1, 4) n))));
  end $$`;
