/**
 * Finds rows in the order of tier, title and id. The tiers are titles that begin with the text, then titles
 * in which a later word does, then all other matches. Each step fills only the places that are left. The last
 * two tiers are read from search blocks (`block-walks.ts`), or from all rows if few are in scope. Title
 * indexes lack rows marked `is_odd`, so these are read one by one.
 */
import { countLiteral, numberLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { type SearchScope, searchScope } from '#adapters/postgres/reads/sql/scope-condition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { LETTER_OR_DIGIT, type StoredCategory } from '#domain/search/search-hit.ts';
import { MIN_SIMILARITY } from '#domain/search/similar-hit.ts';
import { blockWalk } from './block-walks.ts';
import { type SearchBounds, type SearchBoundsSql, searchBoundsSql } from './search-bounds.ts';

interface SearchedTable {
  readonly category: Sql;
  /** Begins the names of this part's common table expressions. */
  readonly prefix: Sql;
  readonly table: Sql;
  readonly things: Sql;
  readonly answer: Sql;
  /** Whether one of the folded texts of `o` contains `$1`. */
  readonly hasText: Sql;
}

const SEARCHED_TABLES: Readonly<Record<StoredCategory, SearchedTable>> = {
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

interface SearchPart {
  /** Common table expressions, separated by commas. */
  readonly found: Sql;
  readonly rows: Sql;
}

/**
 * The best `limit` rows of each category: (category, id, and four texts, see `SEARCHED_TABLES`). The text is in the
 * parameters (`searchValues`), so one plan serves every search in a scope, except for texts with `mayCrossTexts`.
 */
export function searchQuery(
  scope: AccessScope,
  categories: readonly StoredCategory[],
  limit: number,
  bounds: SearchBounds,
  mayCrossTexts: boolean,
): Sql {
  const size = countLiteral(limit, 1);
  const largest = searchBoundsSql(bounds);
  return joinParts(categories, (category) =>
    searchPart(SEARCHED_TABLES[category], searchScope(scope, category), size, largest, mayCrossTexts),
  );
}

function joinParts(
  categories: readonly StoredCategory[],
  partOf: (category: StoredCategory) => SearchPart,
): Sql {
  if (categories.length === 0) throw new Error('a search needs at least one category');
  const parts = categories.map(partOf);
  const found = parts.map((part) => part.found).join(', ') as Sql;
  const rows = parts.map((part) => part.rows).join(' union all ') as Sql;
  return sql`with recursive ${found} ${rows}`;
}

function searchPart(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: SearchBoundsSql,
  mayCrossTexts: boolean,
): SearchPart {
  const { prefix: p, table, things, hasText } = searched;
  const inScope = scope.condition(sql`t`);
  // The texts of a row are stored as one. A search text that could match across two of them is looked for in
  // each separately.
  const inOneText = mayCrossTexts
    ? sql` and exists (select from ${things} o where o.id = t.id and (${hasText}))`
    : sql``;
  // The index that a walk reads lacks long texts. They are read by a subquery, so the walk remains an index-only scan.
  const matches = sql`coalesce(t.texts, (select l.long_texts from ${table} l where l.id = t.id)) like $2${inOneText}`;
  const isLater = sql`not starts_with(t.title, $1)`;
  const best = sql`order by tier, title, id limit ${limit}`;
  const first = sql`order by t.title, t.id limit ${limit}`;
  const isAll = sql`(select count(*) from ${p}_near) < ${bounds.few}`;
  // If `near` has all rows in scope, no blocks are read.
  const near = sql`
    ${p}_near as materialized (select t.id, t.title, case when coalesce(t.texts, t.long_texts) like $2
        and ${isLater}${inOneText} then case when t.words like $6 then 3 else 4 end end as tier
      from ${table} t where not t.is_odd and ${inScope} limit ${bounds.few}),
    ${p}_few as materialized (select f.id, f.tier, f.title from ${p}_near f where f.tier is not null and ${isAll}),`;
  const left = sql`${limit} - count(*)`;
  const found = sql`${scope.mayBeFew ? near : sql``}
    ${p}_odd as materialized (select t.id, case when t.title = $1 then 1 when starts_with(t.title, $1) then 2
      when t.words like $6 then 3 else 4 end as tier, t.title from ${table} t
      where t.is_odd and ${inScope} and coalesce(t.texts, t.long_texts) like $2${inOneText} ${best}),
    ${p}_begun as materialized (select t.id, case when t.title = $1 then 1 else 2 end as tier, t.title
      from ${table} t where not t.is_odd and t.title >= $1 and t.title < $3 and ${inScope} ${first}),
    ${p}_places as materialized (
      select ${scope.mayBeFew ? sql`case when ${isAll} then 0 else ${left} end` : left} as n from ${p}_begun),
    ${p}_later as materialized (${blockWalk({
      turns: sql`values (3, $5::tsquery), (4, $4::tsquery)`,
      places: sql`(select p.n from ${p}_places p)`,
      table,
      inScope,
      // The cheapest condition, which every match satisfies, comes first.
      condition: sql`(t.texts like $2) is not false and ${isLater}
        and case turn.tier when 3 then t.words like $6 else t.words not like $6 and ${matches} end`,
      organizations: scope.organizations,
      bounds,
    })})`;
  return {
    found,
    rows: foundRows(
      searched,
      [...(scope.mayBeFew ? [sql`few`] : []), sql`odd`, sql`begun`, sql`later`],
      best,
    ),
  };
}

function foundRows(
  { category, prefix, things, answer }: SearchedTable,
  steps: readonly Sql[],
  best: Sql,
): Sql {
  const all = steps.map((step) => sql`select * from ${prefix}_${step}`).join(' union all ') as Sql;
  return sql`select ${category}, o.id, ${answer}
    from (select id from (${all}) f ${best}) f join ${things} o on o.id = f.id`;
}

/** A text can resemble many thousands of titles. An arbitrary selection of this many is compared. */
const MAX_COMPARED = sql`20000`;

/** The least similarity of a hit. pg_trgm uses the same threshold (`WORD_SIMILARITY`). */
const LEAST = numberLiteral(MIN_SIMILARITY);

/** With this setting, `%>` finds every title that is similar enough. */
export const WORD_SIMILARITY = { 'pg_trgm.word_similarity_threshold': String(MIN_SIMILARITY) };

/** Replaces characters beyond ASCII, exactly as `search_alike` in `schema/search.ts` does in titles. */
export function alikeForm(folded: string): string {
  return Array.from(folded, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 128) return character;
    return LETTER_OR_DIGIT.test(character) ? String.fromCharCode(97 + (code % 26)) : ' ';
  }).join('');
}

/** `sampled` compares one title in 256. */
export type ComparedTitles = 'all' | 'sampled';

/**
 * The `limit` most similar titles of each category (Contract: §6). `$1` is the `alikeForm` of a text that no title
 * contains.
 */
export function similarQuery(
  scope: AccessScope,
  categories: readonly StoredCategory[],
  limit: number,
  compared: ComparedTitles,
): Sql {
  const size = countLiteral(limit, 1);
  return joinParts(categories, (category) =>
    similarTitles(SEARCHED_TABLES[category], searchScope(scope, category), size, compared),
  );
}

function similarTitles(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  compared: ComparedTitles,
): SearchPart {
  const { prefix: p, table } = searched;
  const inScope = scope.condition(sql`t`);
  const alike = sql`search_alike(t.title, t.words)`;
  const isCompared = compared === 'all' ? sql`${alike} %> $1` : sql`(uuid_hash(t.id) & 255) = 0`;
  const best = sql`order by similarity desc, title, id limit ${limit}`;
  const bestOf = (condition: Sql, bound: Sql) => sql`select * from (
      select t.id, word_similarity($1, ${alike}) as similarity, t.title from ${table} t
      where ${condition} and ${inScope} ${bound}) f
    where f.similarity >= ${LEAST} ${best}`;
  return {
    found: sql`${p}_alike as materialized (
        ${bestOf(sql`not t.is_odd and ${isCompared}`, sql`limit ${MAX_COMPARED}`)}),
      ${p}_odd as materialized (${bestOf(sql`t.is_odd`, sql``)})`,
    rows: foundRows(searched, [sql`alike`, sql`odd`], best),
  };
}
