/** Lists the alerts in reach (GET /alerts; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { type ApplicationError, DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { AlertQuery, FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { AlertPosition, ListedAlert } from '#domain/fleet/fleet-lists.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** A page of alerts. */
export interface AlertListQuery extends AlertQuery {
  /** Null: every organization in reach. */
  readonly orgId: OrgId | null;
}

/** Newest first. `not_found` for an organization or a device that is unknown or out of reach. */
export type ListAlerts = (
  call: Call,
  query: AlertListQuery,
) => Promise<Result<Page<ListedAlert, AlertPosition>, ApplicationError>>;

export interface ListAlertsDeps {
  readonly fleetLists: FleetLists;
  readonly narrowReach: NarrowReach;
}

export function makeListAlerts({ fleetLists, narrowReach }: ListAlertsDeps): ListAlerts {
  return async (call, { orgId, ...query }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const found = await fleetLists.alerts(scope.value, { ...query, limit: query.limit + 1 });
    if (found === null) return err(DEVICE_NOT_FOUND);
    return ok(toPage(found, query.limit, ({ createdAt, id }) => ({ createdAt, id })));
  };
}
