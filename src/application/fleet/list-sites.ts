/** Lists the sites of the organizations in reach (GET /sites; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import { compareNamed, type ListedSite } from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';

/** Of one organization, or of all in reach for null; by name. */
export type ListSites = (
  call: Call,
  orgId: OrgId | null,
) => Promise<Result<readonly ListedSite[], ApplicationError>>;

export interface ListSitesDeps {
  readonly fleetLists: FleetLists;
  readonly narrowReach: NarrowReach;
}

export function makeListSites({ fleetLists, narrowReach }: ListSitesDeps): ListSites {
  return async (call, orgId) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const found = await fleetLists.sites(scope.value);
    return ok(found.toSorted(compareNamed));
  };
}
