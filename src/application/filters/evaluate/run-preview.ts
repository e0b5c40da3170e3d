/** Evaluates a checked filter and records the preview before answering (Contract: §5, §8). */
import { type ApplicationError, CANCELLED, invalidField } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeviceMatcher, MatchRefusal } from '#application/ports/filters/device-matcher.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { PreviewDevice } from '#domain/device/device-row.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Spec: Preview result. */
export interface Preview {
  /** All matching devices in scope, not only those listed. */
  readonly totalCount: number;
  readonly devices: readonly PreviewDevice[];
  readonly evaluatedAt: EpochMs;
}

export interface PreviewRequest {
  readonly filter: ConditionGroup;
  readonly scope: AccessScope;
  /** 1-100. */
  readonly limit: number;
  readonly action: 'filter.preview' | 'filter.saved.preview';
  readonly filterId: FilterId | null;
  readonly orgId: OrgId | null;
}

export type RunPreview = (call: Call, request: PreviewRequest) => Promise<Result<Preview, ApplicationError>>;

export interface RunPreviewDeps {
  readonly matcher: DeviceMatcher;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeRunPreview(deps: RunPreviewDeps): RunPreview {
  return async (call, { filter, scope, limit, action, filterId, orgId }) => {
    const evaluatedAt = deps.clock();
    const matches = await deps.matcher.preview({ filter, scope, at: evaluatedAt, ...workFor(call) }, limit);
    call.endTurn?.();
    const attempt = { action, resourceId: filterId, orgId };
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
