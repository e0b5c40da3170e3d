/** Sums up what is in reach (GET /summary; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import { workFor } from '#application/work-for.ts';
import { mayAdministerUsers } from '#domain/access/permission.ts';
import { type FleetSummary, seenSince } from '#domain/fleet/fleet-summary.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { toCountError } from './count-error.ts';

/** The summary, and what waits for the caller. */
export interface SummaryInReach extends FleetSummary {
  /** Null for callers without users:write, who do not learn it. */
  readonly deletionRequestsPending: number | null;
}

/** Of one organization, or of all in reach for null. `filter_timeout` if counting takes too long. */
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
