/** Regular expressions, which see letters as Unicode has them, whatever the locale of the database. */
import { type Sql, sql, textLiteral } from '#adapters/postgres/reads/sql/literal.ts';

/** Whether the text has something that the pattern of PostgreSQL's `~` matches. */
export function patternCondition(text: Sql, pattern: string): Sql {
  return sql`${text} ~ ${textLiteral(pattern)} collate patterns`;
}
