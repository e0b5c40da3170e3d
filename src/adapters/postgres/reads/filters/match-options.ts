import { type ReadRefusal, ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type {
  ReadOptions,
  ReadSession,
  Row,
  ScopedReader,
  SnapshotOptions,
} from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { QueryOptions, StatementForm } from '#adapters/postgres/reads/running/statement-runner.ts';
import {
  NO_TITLES,
  type TitleIds,
  type TitleLookups,
} from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { err, ok, type Result } from '#domain/result.ts';

export function readOptions({
  onBehalfOf,
  signal,
}: Pick<MatchRequest, 'onBehalfOf' | 'signal'>): ReadOptions {
  return { onBehalfOf, signal };
}

export async function resolveTitles(
  session: ReadSession,
  scope: AccessScope,
  lookups: TitleLookups,
  options?: QueryOptions,
): Promise<TitleIds> {
  const rows = await session.query<{ key: string; ids: number[]; version_keys: string[] }>(
    ScopedStatement.titles(scope, lookups),
    options,
  );
  return new Map(rows.map(({ key, ids, version_keys }) => [key, { ids, versionKeys: version_keys }]));
}

/** `maybeQuick` has no effect in a snapshot, whose statements cannot join a batch of quick reads. */
export type Query = <R extends Row>(
  statement: ScopedStatement,
  form?: StatementForm & Pick<ReadOptions, 'maybeQuick'>,
) => Promise<readonly R[]>;

/** Opens a transaction only if titles must be looked up or there are several statements. */
export async function readMatching<T>(
  reader: ScopedReader,
  scope: AccessScope,
  lookups: TitleLookups | null,
  { hasSeveral = false, ...options }: SnapshotOptions & { readonly hasSeveral?: boolean },
  work: (titleIds: TitleIds, query: Query) => Promise<T>,
): Promise<Result<T, ReadRefusal>> {
  try {
    if (lookups === null && !hasSeveral) {
      return ok(await work(NO_TITLES, (statement, form) => reader.read(statement, { ...options, ...form })));
    }
    return ok(
      await reader.inSnapshot(options, async (session) =>
        work(lookups === null ? NO_TITLES : await resolveTitles(session, scope, lookups), (statement, form) =>
          session.query(statement, form),
        ),
      ),
    );
  } catch (error) {
    if (error instanceof ReadRefused) return err(error.refusal);
    throw error;
  }
}
