/** Looks up the titles that a filter asks for, in the snapshot of the filter. */
import type { ReadSession } from './scoped-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import type { TitleIds, TitleLookups } from './sql/software.ts';
import type { QueryOptions } from './statement-runner.ts';

export async function resolveTitles(
  session: ReadSession,
  lookups: TitleLookups,
  options?: QueryOptions,
): Promise<TitleIds> {
  const rows = await session.query<{ key: string; title_ids: number[] }>(
    ScopedStatement.titles(lookups),
    options,
  );
  return new Map(rows.map(({ key, title_ids }) => [key, title_ids]));
}
