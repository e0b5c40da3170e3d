import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { MAX_NAMED_LENGTH } from './statement-runner.ts';

/** Throws `DatabaseBusyError` if the read misses its deadline. */
export async function lookUp<R extends object>(
  reader: ScopedReader,
  scope: AccessScope,
  statement: ScopedStatement,
): Promise<readonly R[]> {
  const isNamed = statement.text.length <= MAX_NAMED_LENGTH;
  try {
    return await reader.read<R>(statement, { onBehalfOf: tenantOf(scope), isNamed });
  } catch (error) {
    throw error instanceof ReadRefused ? new DatabaseBusyError() : error;
  }
}

/** The tenant of a scope. Look-ups use its share of connections, because their ports know no user. */
export function tenantOf(scope: AccessScope): string {
  switch (scope.kind) {
    case 'organization':
      return scope.orgId;
    case 'partner':
      return scope.partnerId;
    case 'system':
    case 'none':
      return scope.kind;
  }
}
