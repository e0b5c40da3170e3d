/** The search tables (`schema/search.ts`), and the things that their rows stand for. */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { StoredCategory } from '#domain/search/search-hit.ts';

export interface SearchedTable {
  /** The category, as a constant. */
  readonly category: Sql;
  /** A letter before the names of a statement's own tables. */
  readonly prefix: Sql;
  readonly table: Sql;
  /** The table of the things, and the four texts of the thing `o` that are answered beside its id. */
  readonly things: Sql;
  readonly answer: Sql;
  /** Whether one of the folded texts of the thing `o` contains `$1`. */
  readonly hasText: Sql;
}

export const SEARCHED_TABLES: Readonly<Record<StoredCategory, SearchedTable>> = {
  devices: {
    category: sql`'devices'`,
    prefix: sql`d`,
    table: sql`device_search`,
    things: sql`device`,
    answer: sql`o.hostname, o.display_name, o.last_user, o.status::text`,
    hasText: sql`strpos(o.hostname_lc, $1) > 0 or strpos(coalesce(o.display_name_lc, o.display_name), $1) > 0
      or strpos(coalesce(o.last_user_lc, o.last_user), $1) > 0`,
  },
  scripts: {
    category: sql`'scripts'`,
    prefix: sql`s`,
    table: sql`script_search`,
    things: sql`script`,
    answer: sql`o.name, o.description, null, null`,
    hasText: sql`strpos(coalesce(o.name_lc, o.name), $1) > 0
      or strpos(coalesce(o.description_lc, o.description), $1) > 0`,
  },
  alerts: {
    category: sql`'alerts'`,
    prefix: sql`a`,
    table: sql`alert_search`,
    things: sql`alert`,
    answer: sql`o.title, o.message, null, null`,
    hasText: sql`strpos(coalesce(o.title_lc, o.title), $1) > 0
      or strpos(coalesce(o.message_lc, o.message), $1) > 0`,
  },
};
