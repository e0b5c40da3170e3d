/**
 * Titles by their trigrams, for searches that find nothing and may answer with what resembles the text. No heartbeat
 * touches titles, so that only new and renamed things pay for it.
 *
 * What pg_trgm takes for a letter depends on the server's locale; in some, ASCII alone. So each letter or digit beyond
 * ASCII stands as one of a to z there, which leaves as many trigrams, and the service compares what is found itself.
 */
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122SimilarTitles extends Migration {
  override name = 'Migration20261122SimilarTitles';

  override up(): void {
    this.addSql(`create function search_alike(title text, words text) returns text
      language plpgsql immutable strict parallel safe as $$
      begin
        return case when octet_length(title) = length(title) then title else (
          select string_agg(case when ascii(s.c) < 128 then s.c else chr(97 + ascii(s.c) % 26) end, '' order by s.n)
          from string_to_table(
            replace(regexp_replace(words collate "C", '[^\\u0001-\\u007f]\\u001e', ' ', 'g'), chr(30), ''), null
          ) with ordinality s(c, n))
        end;
      end $$`);
    this.addSql(`comment on function search_alike is
      'The title for pg_trgm: beyond ASCII, each letter or digit as one of a to z, and all else as a space'`);
    for (const table of ['device_search', 'script_search', 'alert_search']) {
      this.addSql(
        `create index ${table}_alike on ${table} using gin (search_alike(title, words) gin_trgm_ops) where not is_odd`,
      );
    }
  }
}
