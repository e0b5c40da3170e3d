/** The questions that the suites put to a source of completions. */
import type { CompletionRequest } from '#application/ports/filters/completion-source.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';

export type FindValues = (
  scope: AccessScope,
  source: ValueSource,
  typed?: string,
  given?: Partial<CompletionRequest>,
) => Promise<readonly string[]>;

/** The first 20 values, without their counts, unless more is given. */
export function makeFindValues(backend: () => ContractBackend): FindValues {
  return async (scope, source, typed = '', given = {}) => {
    const found = await backend().findValues({
      source,
      typed,
      scope,
      limit: 20,
      onBehalfOf: 'test',
      ...given,
    });
    return found.map(({ value }) => value);
  };
}
