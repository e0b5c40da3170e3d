/** What a change of a saved filter would do (POST /filters/:id/impact; Contract: §18). */
import {
  type ApplicationError,
  FILTER_NOT_FOUND,
  type FilterImpact,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { usesOfFilter } from '#application/filters/saved/filter-links.ts';
import { type CheckSavedFilterDeps, checkSavedFilter } from '#application/filters/saved/read-filter.ts';
import { type CheckText, checkConditionsOrText } from '#application/filters/text/check-text.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { ComparisonRequest, DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import { workFor } from '#application/work-for.ts';
import { ownerOfFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { toApplicationError } from './run-preview.ts';

/** The impact lists at most this many entering devices, and as many leaving ones. */
const SAMPLE_SIZE = 10;

/** Unchecked input: either conditions or a filter text. */
export interface FilterImpactInput {
  readonly conditions: unknown;
  readonly q: unknown;
}

/** Errors: `not_found`, `filter_timeout`, and faults of the input or of the saved filter. */
export type ReadFilterImpact = (
  call: Call,
  id: FilterId,
  input: FilterImpactInput,
) => Promise<Result<FilterImpact, ApplicationError>>;

interface MeasureImpactDeps {
  readonly filters: Pick<SavedFilterReader, 'relyingOn'>;
  readonly deviceReader: Pick<DeviceReader, 'compare'>;
  readonly subscriptions: Pick<SubscriptionReader, 'list'>;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

/** Compares the devices before and after a change, and records this as a preview. Error: `filter_timeout`. */
export type MeasureImpact = (
  call: Call,
  saved: SavedFilter,
  change: Pick<ComparisonRequest, 'before' | 'after' | 'scope'>,
) => Promise<Result<FilterImpact, ApplicationError>>;

export function makeMeasureImpact(deps: MeasureImpactDeps): MeasureImpact {
  return async (call, { id, orgId, partnerId, version }, change) => {
    const evaluatedAt = deps.clock();
    const request = { ...change, at: evaluatedAt, limit: SAMPLE_SIZE, ...workFor(call) };
    const compared = await deps.deviceReader.compare(request);
    call.endTurn?.();
    const attempt = { action: 'filter.saved.preview', resourceId: id, orgId, partnerId } as const;
    if (!compared.ok) {
      return deps.deny(call, { ...attempt, reason: compared.error.kind }, toApplicationError(compared.error));
    }
    const usedBy = await usesOfFilter(deps, call.caller.scope, id);
    const details = { totalCount: compared.value.after };
    await deps.auditLog(deps.makeEntry(call, { ...attempt, details }));
    return ok({ ...compared.value, version, usedBy, evaluatedAt });
  };
}

interface ReadFilterImpactDeps extends CheckSavedFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkText: CheckText;
  readonly measureImpact: MeasureImpact;
  readonly deny: Deny;
}

export function makeReadFilterImpact(deps: ReadFilterImpactDeps): ReadFilterImpact {
  return async (call, id, input) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      return deps.deny(call, { action: 'filter.saved.preview', resourceId: id }, FILTER_NOT_FOUND);
    }
    const before = await checkSavedFilter(deps, call, saved);
    if (!before.ok) return before;
    const { scope, filter } = before.value;
    const after = await checkConditionsOrText(deps, call, scope, input, ownerOfFilter(saved));
    if (!after.ok) return after;
    return deps.measureImpact(call, saved, { before: filter, after: after.value, scope });
  };
}
