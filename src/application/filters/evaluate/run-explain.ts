/** Explains a checked filter and records it before answering (Contract: §8, §12). */
import { type ApplicationError, DEVICE_NOT_FOUND, type FieldError } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  DeviceAtNode,
  ExplainRefusal,
  Explanation,
  FilterExplainer,
} from '#application/ports/filters/filter-explainer.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { countNodes, type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import type { NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import { type DeviceId, type FilterId, type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { toApplicationError } from './run-preview.ts';

/** Contract: §12. */
export const MAX_EXPLAINED_NODES = 500;

export interface ExplainedFilter {
  readonly evaluatedAt: EpochMs;
  /** All devices in scope. */
  readonly deviceCount: number;
  /** Devices that the filter matches. */
  readonly totalCount: number;
  /** In document order. */
  readonly nodes: readonly ExplainedNode[];
}

export interface ExplainedNode extends ListedNode, NodeCount {
  /** The result for the requested device; null if none was requested. */
  readonly device: DeviceAtNode | null;
}

export interface RunExplainRequest {
  readonly filter: ConditionGroup;
  readonly scope: AccessScope;
  readonly deviceId: DeviceId | null;
  readonly filterId: FilterId | null;
  readonly orgId: OrgId | null;
}

export type RunExplain = (
  call: Call,
  request: RunExplainRequest,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

export interface RunExplainDeps {
  readonly explainFilter: FilterExplainer;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeRunExplain(deps: RunExplainDeps): RunExplain {
  return async (call, { filter, scope, deviceId, filterId, orgId }) => {
    const size = countNodes(filter);
    if (size > MAX_EXPLAINED_NODES) return err(tooManyNodes(size));
    const evaluatedAt = deps.clock();
    const explained = await deps.explainFilter({
      filter,
      scope,
      deviceId,
      at: evaluatedAt,
      ...workFor(call),
    });
    call.endTurn?.();
    const attempt = { action: 'filter.explain', resourceId: filterId, orgId } as const;
    if (!explained.ok) {
      const reason = explained.error.kind;
      return deps.deny(call, { ...attempt, reason }, toExplainError(explained.error));
    }
    const nodes = toNodes(filter, explained.value);
    const { deviceCount } = explained.value;
    const totalCount = nodes[0]?.count ?? 0;
    const details = { totalCount, ...(deviceId !== null && { deviceId }) };
    await deps.auditLog(deps.makeEntry(call, { ...attempt, details }));
    return ok({ evaluatedAt, deviceCount, totalCount, nodes });
  };
}

/** Null if no device was sent. */
export function parseExplainedDevice(sent: unknown): Result<DeviceId | null, FieldError> {
  if (sent === undefined) return ok(null);
  const id = parseId<'device'>(sent);
  const message = 'deviceId must be the UUID of a device; leave it out to count alone';
  return id === null ? err({ path: 'deviceId', code: 'invalid_value', message }) : ok(id);
}

function toNodes(filter: ConditionGroup, { counts, device }: Explanation): readonly ExplainedNode[] {
  return listNodes(filter).map((listed, i) => ({
    ...listed,
    count: counts[i]?.count ?? 0,
    countWithout: counts[i]?.countWithout ?? null,
    device: device?.[i] ?? null,
  }));
}

function tooManyNodes(size: number): ApplicationError {
  return {
    code: 'too_many_nodes',
    detail: `The filter has ${size} conditions and groups; at most ${MAX_EXPLAINED_NODES} can be explained at once. Send a part of it.`,
  };
}

function toExplainError(refusal: ExplainRefusal): ApplicationError {
  return refusal.kind === 'unknown-device' ? DEVICE_NOT_FOUND : toApplicationError(refusal);
}
