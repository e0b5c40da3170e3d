/** What resembles a text that nothing contains: titles that share enough trigrams with it (Contract: §6). */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { LETTER_OR_DIGIT } from '#domain/search/search-hit.ts';
import { foundRows, type SearchPart } from './search-part.ts';
import type { SearchScope } from './search-scope.ts';
import type { SearchedTable } from './search-tables.ts';

/** Titles that are compared, of the many thousands that one search can resemble. */
const MAX_COMPARED = sql`20000`;

/** pg_trgm's own, which a server may be configured to change. */
const MIN_SIMILARITY = sql`0.3`;

/** The folded text as titles are compared with it: as `search_alike` in `schema/search.ts` writes them. */
export function alikeForm(folded: string): string {
  return Array.from(folded, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 128) return character;
    return LETTER_OR_DIGIT.test(character) ? String.fromCharCode(97 + (code % 26)) : ' ';
  }).join('');
}

/** Which titles are compared: all, or those of one in 256 rows. */
export type ComparedTitles = 'all' | 'sampled';

/** One category's part of it, for the text `$1` in that form. Titles that no index holds are looked at one by one. */
export function similarTitles(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  compared: ComparedTitles,
): SearchPart {
  const { prefix: p, table } = searched;
  const inScope = scope.condition(sql`t`);
  const alike = sql`search_alike(t.title, t.words)`;
  const isCompared = compared === 'all' ? sql`${alike} % $1` : sql`(uuid_hash(t.id) & 255) = 0`;
  const best = sql`order by similarity desc, title, id limit ${limit}`;
  const bestOf = (condition: Sql, bound: Sql) => sql`select * from (
      select t.id, similarity(${alike}, $1) as similarity, t.title from ${table} t
      where ${condition} and ${inScope} ${bound}) f
    where f.similarity >= ${MIN_SIMILARITY} ${best}`;
  return {
    found: sql`${p}_alike as materialized (
        ${bestOf(sql`not t.is_odd and ${isCompared}`, sql`limit ${MAX_COMPARED}`)}),
      ${p}_odd as materialized (${bestOf(sql`t.is_odd`, sql``)})`,
    rows: foundRows(searched, [sql`alike`, sql`odd`], best),
  };
}
