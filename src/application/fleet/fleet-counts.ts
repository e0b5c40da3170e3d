/** Lists and a summary that count devices (Contract: §10). Error: `filter_timeout` if counting takes too long. */

import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { type ApplicationError, CANCELLED } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { CountRefusal, FleetCounter, PatchQuery } from '#application/ports/fleet/fleet-counter.ts';
import { workFor } from '#application/work-for.ts';
import { mayAdministerUsers } from '#domain/access/permission.ts';
import { compareNamed, type ListedOrganization, type ListedPatch } from '#domain/fleet/fleet-lists.ts';
import { type FleetSummary, seenSince } from '#domain/fleet/fleet-summary.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** GET /organizations; sorted by name. */
export type ListOrganizations = (
  call: Call,
) => Promise<Result<readonly ListedOrganization[], ApplicationError>>;

export function makeListOrganizations(deps: { readonly fleetCounter: FleetCounter }): ListOrganizations {
  return async (call) => {
    const found = await deps.fleetCounter.organizations({ scope: call.caller.scope, ...workFor(call) });
    return found.ok ? ok(found.value.toSorted(compareNamed)) : err(toCountError(found.error));
  };
}

export interface PatchListQuery extends PatchQuery {
  readonly orgId: OrgId | null;
}

/** GET /patches; sorted by title. */
export type ListPatches = (
  call: Call,
  query: PatchListQuery,
) => Promise<Result<Page<ListedPatch, string>, ApplicationError>>;

export interface ListPatchesDeps {
  readonly fleetCounter: FleetCounter;
  readonly narrowReach: NarrowReach;
}

export function makeListPatches({ fleetCounter, narrowReach }: ListPatchesDeps): ListPatches {
  return async (call, { orgId, ...query }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const request = { scope: scope.value, ...workFor(call) };
    const found = await fleetCounter.patches(request, { ...query, limit: query.limit + 1 });
    if (!found.ok) return err(toCountError(found.error));
    return ok(toPage(found.value, query.limit, ({ title }) => title));
  };
}

export interface SummaryInReach extends FleetSummary {
  /** Null for callers without users:write. */
  readonly deletionRequestsPending: number | null;
}

/** GET /summary. Null means every organization in reach. */
export type SummarizeFleet = (
  call: Call,
  orgId: OrgId | null,
) => Promise<Result<SummaryInReach, ApplicationError>>;

export interface SummarizeFleetDeps {
  readonly fleetCounter: FleetCounter;
  readonly deletionRequests: DeletionRequestReader;
  readonly narrowReach: NarrowReach;
  readonly clock: Clock;
}

export function makeSummarizeFleet(deps: SummarizeFleetDeps): SummarizeFleet {
  return async (call, orgId) => {
    const scope = await deps.narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const request = { scope: scope.value, ...workFor(call) };
    const summary = await deps.fleetCounter.summary(request, seenSince(deps.clock()));
    if (!summary.ok) return err(toCountError(summary.error));
    const deletionRequestsPending = mayAdministerUsers(call.caller)
      ? await deps.deletionRequests.countPending(scope.value)
      : null;
    return ok({ ...summary.value, deletionRequestsPending });
  };
}

export function toCountError({ kind }: CountRefusal): ApplicationError {
  switch (kind) {
    case 'timeout':
      return {
        code: 'filter_timeout',
        detail: 'Counting took too long; name one organization with orgId, or try again later.',
      };
    case 'cancelled':
      return CANCELLED;
  }
}
