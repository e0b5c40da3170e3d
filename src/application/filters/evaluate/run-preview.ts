/** Evaluates a filter and records the preview before answering (Contract: §5, §8). */
import {
  type ApplicationError,
  CANCELLED,
  FILTER_NOT_FOUND,
  invalidField,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { PREVIEW_LIMIT, toFilterError } from '#application/filters/filter-input.ts';
import { type CheckSavedFilterDeps, checkSavedFilter } from '#application/filters/saved/read-filter.ts';
import { readWholeNumber } from '#application/input-values.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeviceMatcher, MatchRefusal } from '#application/ports/filters/device-matcher.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { PreviewDevice } from '#domain/device/device-row.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { FilterId, OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Spec: Preview result. */
export interface Preview {
  /** All matches, not only those listed. */
  readonly totalCount: number;
  readonly devices: readonly PreviewDevice[];
  readonly evaluatedAt: EpochMs;
}

interface PreviewRequest {
  readonly filter: ConditionGroup;
  readonly scope: AccessScope;
  readonly limit: number;
  readonly action: 'filter.preview' | 'filter.saved.preview';
  readonly filterId: FilterId | null;
  /** Null for unsaved conditions. */
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

type RunPreview = (call: Call, request: PreviewRequest) => Promise<Result<Preview, ApplicationError>>;

interface RunPreviewDeps {
  readonly matcher: DeviceMatcher;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeRunPreview(deps: RunPreviewDeps): RunPreview {
  return async (call, { filter, scope, limit, action, filterId, orgId, partnerId }) => {
    const evaluatedAt = deps.clock();
    const matches = await deps.matcher.preview({ filter, scope, at: evaluatedAt, ...workFor(call) }, limit);
    call.endTurn?.();
    const attempt = { action, resourceId: filterId, orgId, partnerId };
    if (!matches.ok) {
      const reason = matches.error.kind;
      return deps.deny(call, { ...attempt, reason }, toApplicationError(matches.error));
    }
    const { totalCount } = matches.value;
    await deps.auditLog(deps.makeEntry(call, { ...attempt, details: { totalCount } }));
    return ok({ ...matches.value, evaluatedAt });
  };
}

export function toApplicationError(refusal: MatchRefusal): ApplicationError {
  switch (refusal.kind) {
    case 'timeout':
      return {
        code: 'filter_timeout',
        detail:
          'The filter took too long to evaluate; make it simpler, or narrow it with a cheaper condition.',
      };
    case 'cancelled':
      return CANCELLED;
    case 'invalid-pattern':
      return invalidField(
        'conditions',
        'invalid_pattern',
        `a regular expression is refused: ${refusal.reason}`,
      );
  }
}

// POST /filters/:id/preview (Contract: §5). A filter with a field that no longer exists is refused, not deleted.

/** `limit` is 1-100. */
export type PreviewFilter = (
  call: Call,
  id: FilterId,
  limit: number,
) => Promise<Result<Preview, ApplicationError>>;

interface PreviewFilterDeps extends CheckSavedFilterDeps {
  readonly filters: SavedFilterReader;
  readonly runPreview: RunPreview;
  readonly deny: Deny;
}

export function makePreviewFilter(deps: PreviewFilterDeps): PreviewFilter {
  return async (call, id, limit) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      return deps.deny(call, { action: 'filter.saved.preview', resourceId: id }, FILTER_NOT_FOUND);
    }
    const checked = await checkSavedFilter(deps, call, saved);
    if (!checked.ok) return checked;
    return deps.runPreview(call, {
      ...checked.value,
      limit,
      action: 'filter.saved.preview',
      filterId: id,
      orgId: saved.orgId,
      partnerId: saved.partnerId,
    });
  };
}

// POST /filters/preview (Contract: §5): for all organizations in reach.

export interface PreviewConditionsInput {
  readonly conditions: unknown;
  readonly limit: unknown;
}

/** Errors: faults of the input, `filter_timeout`. */
export type PreviewConditions = (
  call: Call,
  input: PreviewConditionsInput,
) => Promise<Result<Preview, ApplicationError>>;

interface PreviewConditionsDeps {
  readonly checkConditions: CheckConditions;
  readonly runPreview: RunPreview;
}

export function makePreviewConditions(deps: PreviewConditionsDeps): PreviewConditions {
  return async (call, { conditions, limit }) => {
    const { scope, userId } = call.caller;
    const size = readWholeNumber('limit', limit, PREVIEW_LIMIT);
    const filter = await deps.checkConditions(scope, conditions, userId);
    if (!size.ok || !filter.ok) {
      return err(toFilterError([...(size.ok ? [] : [size.error]), ...(filter.ok ? [] : filter.error)]));
    }
    return deps.runPreview(call, {
      filter: filter.value,
      scope,
      limit: size.value,
      action: 'filter.preview',
      filterId: null,
      orgId: null,
      partnerId: null,
    });
  };
}
