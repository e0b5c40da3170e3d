/** The questions that the suites put to a counter. */
import type { PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ListedOrganization, ListedPatch } from '#domain/fleet/fleet-lists.ts';
import { type FleetSummary, seenSince } from '#domain/fleet/fleet-summary.ts';
import type { Result } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';

export interface CounterQuestions {
  organizations(scope: AccessScope): Promise<readonly ListedOrganization[]>;
  /** All titles, unless the query says otherwise. */
  patches(scope: AccessScope, query?: Partial<PatchQuery>): Promise<readonly ListedPatch[]>;
  /** As of `SOME_INSTANT`. */
  summary(scope: AccessScope): Promise<FleetSummary>;
}

/** Each must be answered in time. */
export function makeCounterQuestions(backend: () => ContractBackend): CounterQuestions {
  const request = (scope: AccessScope) => ({ scope, onBehalfOf: 'test' });
  return {
    organizations: async (scope) => counted(await backend().fleetCounter.organizations(request(scope))),
    patches: async (scope, query) =>
      counted(
        await backend().fleetCounter.patches(request(scope), {
          status: null,
          after: null,
          limit: 1_000_000,
          ...query,
        }),
      ),
    summary: async (scope) =>
      counted(await backend().fleetCounter.summary(request(scope), seenSince(SOME_INSTANT))),
  };
}

function counted<T>(result: Result<T, { readonly kind: string }>): T {
  if (!result.ok) throw new Error(`counting was refused: ${result.error.kind}`);
  return result.value;
}
