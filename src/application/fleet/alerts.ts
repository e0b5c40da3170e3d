/** Alerts (`/alerts`; Contract: §10). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import {
  ALERT_NOT_FOUND,
  type ApplicationError,
  DEVICE_NOT_FOUND,
  invalidField,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { type Page, toPage } from '#application/page.ts';
import type { FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import type { AlertQuery, FleetLists } from '#application/ports/fleet/fleet-lists.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { workFor } from '#application/work-for.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import type { AlertDetails, AlertPosition, ListedAlert } from '#domain/fleet/fleet-lists.ts';
import { ALERT_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { AlertId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { trimText } from '#domain/text/storable-text.ts';
import { toCountError } from './fleet-counts.ts';

export interface AlertListQuery extends Omit<AlertQuery, 'foldedText'> {
  /** Part of title or message, ignoring case and surrounding spaces; blank matches all. */
  readonly search: string;
  /** Null for all organizations in reach. */
  readonly orgId: OrgId | null;
  /** Whether to count the alerts of all pages. */
  readonly count: boolean;
}

export interface AlertPage extends Page<ListedAlert, AlertPosition> {
  readonly totalCount: number | null;
}

/** Newest first. `not_found` if the organization or device is unknown or out of reach. */
export type ListAlerts = (call: Call, query: AlertListQuery) => Promise<Result<AlertPage, ApplicationError>>;

interface ListAlertsDeps {
  readonly fleetLists: FleetLists;
  readonly fleetCounter: FleetCounter;
  readonly narrowReach: NarrowReach;
}

export function makeListAlerts({ fleetLists, fleetCounter, narrowReach }: ListAlertsDeps): ListAlerts {
  return async (call, { orgId, search, count, ...query }) => {
    const scope = await narrowReach(call, orgId);
    if (!scope.ok) return scope;
    const wanted = { ...query, foldedText: foldCase(trimText(search)) };
    const found = await fleetLists.alerts(scope.value, { ...wanted, limit: query.limit + 1 });
    if (found === null) return err(DEVICE_NOT_FOUND);
    const page = toPage(found, query.limit, ({ createdAt, id }) => ({ createdAt, id }));
    if (!count) return ok({ ...page, totalCount: null });
    const counted = await fleetCounter.alerts({ scope: scope.value, ...workFor(call) }, wanted);
    return counted.ok ? ok({ ...page, totalCount: counted.value }) : err(toCountError(counted.error));
  };
}

/** GET /alerts/:id. */
export type ReadAlert = (call: Call, id: AlertId) => Promise<Result<AlertDetails, ApplicationError>>;

export function makeReadAlert({ fleetLists }: { readonly fleetLists: FleetLists }): ReadAlert {
  return async ({ caller }, id) => {
    const alert = await fleetLists.alert(caller.scope, id);
    return alert === null ? err(ALERT_NOT_FOUND) : ok(alert);
  };
}

/** Needs devices:write. Sending the current status changes nothing. */
export type UpdateAlert = (
  call: Call,
  id: AlertId,
  input: { readonly status?: unknown },
) => Promise<Result<AlertDetails, ApplicationError>>;

interface UpdateAlertDeps {
  readonly readAlert: ReadAlert;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
}

export function makeUpdateAlert({ readAlert, unitOfWork, makeEntry, deny }: UpdateAlertDeps): UpdateAlert {
  return async (call, id, input) => {
    const attempt = { action: 'alert.update', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deny(call, attempt, refusal);
    const status = ALERT_STATUSES.find((each) => each === input.status);
    if (status === undefined) {
      const message = `status must be one of ${ALERT_STATUSES.join(', ')}, not ${describe(input.status)}`;
      return err(
        invalidField('status', input.status === undefined ? 'value_required' : 'invalid_value', message),
      );
    }
    const done = await unitOfWork(call.caller.scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const alert = await tx.alerts.findForUpdate(id);
      if (alert === null) return deny(call, attempt, ALERT_NOT_FOUND, tx);
      if (alert.status === status) return ok(undefined);
      await tx.alerts.setStatus(id, status);
      const details = { from: alert.status, status };
      await tx.audit(makeEntry(call, { ...attempt, orgId: alert.orgId, details }));
      return ok(undefined);
    });
    return done.ok ? readAlert(call, id) : done;
  };
}
