import type { ReadOptions, ReadSession } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { QueryOptions } from '#adapters/postgres/reads/running/statement-runner.ts';
import type { TitleIds, TitleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

export function readOptions({
  onBehalfOf,
  signal,
}: Pick<MatchRequest, 'onBehalfOf' | 'signal'>): ReadOptions {
  return { onBehalfOf, ...(signal !== undefined && { signal }) };
}

/** The titles that the filter names, among those in the scope. */
export async function resolveTitles(
  session: ReadSession,
  scope: AccessScope,
  lookups: TitleLookups,
  options?: QueryOptions,
): Promise<TitleIds> {
  const rows = await session.query<{ key: string; title_ids: number[] }>(
    ScopedStatement.titles(scope, lookups),
    options,
  );
  return new Map(rows.map(({ key, title_ids }) => [key, title_ids]));
}
