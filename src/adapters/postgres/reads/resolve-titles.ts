/** Looks up the software titles that a filter names. */
import type { ReadSession } from './scoped-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import type { TitleIds, TitleLookups } from './sql/software.ts';

/** The ids of the titles, from the snapshot of the session. */
export async function resolveTitles(session: ReadSession, lookups: TitleLookups): Promise<TitleIds> {
  const rows = await session.query<{ key: string; title_ids: number[] }>(ScopedStatement.titles(lookups));
  return new Map(rows.map(({ key, title_ids }) => [key, title_ids]));
}
