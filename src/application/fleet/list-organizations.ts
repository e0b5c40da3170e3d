/** Lists the organizations in reach (GET /organizations; Contract: §10). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import { workFor } from '#application/work-for.ts';
import { compareNamed, type ListedOrganization } from '#domain/fleet/fleet-lists.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { toCountError } from './count-error.ts';

/** By name. `filter_timeout` if counting their devices takes too long. */
export type ListOrganizations = (
  call: Call,
) => Promise<Result<readonly ListedOrganization[], ApplicationError>>;

export function makeListOrganizations(deps: { readonly fleetCounter: FleetCounter }): ListOrganizations {
  return async (call) => {
    const found = await deps.fleetCounter.organizations({ scope: call.caller.scope, ...workFor(call) });
    return found.ok ? ok(found.value.toSorted(compareNamed)) : err(toCountError(found.error));
  };
}
