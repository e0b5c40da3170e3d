/** Explains a filter and records it before answering (Contract: §8, §12). */

import type { NarrowReach } from '#application/access/narrow-reach.ts';
import {
  type ApplicationError,
  DEVICE_NOT_FOUND,
  FILTER_NOT_FOUND,
  type FieldError,
  faultsOf,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { type CheckSavedFilterDeps, checkSavedFilter } from '#application/filters/saved/read-filter.ts';
import { type CheckText, checkConditionsOrText } from '#application/filters/text/check-text.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type {
  DeviceAtNode,
  ExplainRefusal,
  Explanation,
  FilterExplainer,
} from '#application/ports/filters/filter-explainer.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { countNodes, type ListedNode, listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import type { NodeCount } from '#domain/filter/evaluate/tally-nodes.ts';
import { type DeviceId, type FilterId, type OrgId, type PartnerId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { toApplicationError } from './run-preview.ts';

/** Contract: §12. */
export const MAX_EXPLAINED_NODES = 500;

export interface ExplainedFilter {
  readonly evaluatedAt: EpochMs;
  readonly deviceCount: number;
  readonly totalCount: number;
  /** The size of the sample, if the counts are estimates. Null if all devices were counted. */
  readonly sampledCount: number | null;
  readonly nodes: readonly ExplainedNode[];
}

export interface ExplainedNode extends ListedNode, NodeCount {
  readonly device: DeviceAtNode | null;
}

interface RunExplainRequest {
  readonly filter: ConditionGroup;
  readonly scope: AccessScope;
  readonly deviceId: DeviceId | null;
  readonly filterId: FilterId | null;
  /** The organization of the filter, or the one in the request. */
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

type RunExplain = (
  call: Call,
  request: RunExplainRequest,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

interface RunExplainDeps {
  readonly explainFilter: FilterExplainer;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeRunExplain(deps: RunExplainDeps): RunExplain {
  return async (call, { filter, scope, deviceId, filterId, orgId, partnerId }) => {
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
    const attempt = { action: 'filter.explain', resourceId: filterId, orgId, partnerId } as const;
    if (!explained.ok) {
      const reason = explained.error.kind;
      return deps.deny(call, { ...attempt, reason }, toExplainError(explained.error));
    }
    const nodes = toNodes(filter, explained.value);
    const { deviceCount, totalCount, sampledCount } = explained.value;
    const details = { totalCount, ...(deviceId !== null && { deviceId }) };
    await deps.auditLog(deps.makeEntry(call, { ...attempt, details }));
    return ok({ evaluatedAt, deviceCount, totalCount, sampledCount, nodes });
  };
}

function parseExplainedDevice(sent: unknown): Result<DeviceId | null, FieldError> {
  if (sent === undefined) return ok(null);
  const id = parseId<'device'>(sent);
  const message = 'deviceId must be the UUID of a device; leave it out to count alone';
  return id === null ? err({ path: 'deviceId', code: 'invalid_value', message }) : ok(id);
}

function toNodes(filter: ConditionGroup, explanation: Explanation): readonly ExplainedNode[] {
  const { totalCount, counts, device } = explanation;
  return listNodes(filter).map((listed, i) => {
    const { count = 0, countWithout = null } = counts[i] ?? {};
    // The total is exact and bounds the estimates. Each member of an `AND` matches at least as many devices
    // as the whole; each member of an `OR` matches at most as many.
    const bound = filter.operator === 'AND' ? Math.max : Math.min;
    const estimate = (sampled: number) =>
      listed.parent === 0 ? bound(totalCount, inScope(sampled, explanation)) : inScope(sampled, explanation);
    return {
      ...listed,
      count: i === 0 ? totalCount : estimate(count),
      countWithout: countWithout === null ? null : estimate(countWithout),
      device: device?.[i] ?? null,
    };
  });
}

/** Estimates the count of all devices from the sample. */
function inScope(count: number, { deviceCount, sampledCount }: Explanation): number {
  if (sampledCount === null) return count;
  return sampledCount === 0 ? 0 : Math.round((count / sampledCount) * deviceCount);
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

// POST /filters/:id/explain (Contract: §12). Refuses a filter that can no longer be evaluated, as previews do.

export interface ExplainFilterInput {
  readonly deviceId: unknown;
}

/** Errors: `not_found` (filter or device), faults of the saved filter, `too_many_nodes`, `filter_timeout`. */
export type ExplainFilter = (
  call: Call,
  id: FilterId,
  input: ExplainFilterInput,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

interface ExplainFilterDeps extends CheckSavedFilterDeps {
  readonly filters: SavedFilterReader;
  readonly runExplain: RunExplain;
  readonly deny: Deny;
}

export function makeExplainFilter(deps: ExplainFilterDeps): ExplainFilter {
  return async (call, id, input) => {
    const deviceId = parseExplainedDevice(input.deviceId);
    if (!deviceId.ok) return err(toFilterError([deviceId.error]));
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      return deps.deny(call, { action: 'filter.explain', resourceId: id }, FILTER_NOT_FOUND);
    }
    const checked = await checkSavedFilter(deps, call, saved);
    if (!checked.ok) return checked;
    return deps.runExplain(call, {
      ...checked.value,
      deviceId: deviceId.value,
      filterId: id,
      orgId: saved.orgId,
      partnerId: saved.partnerId,
    });
  };
}

// POST /filters/explain (Contract: §12): for one organization or all in reach.

/** Unchecked input: either conditions or a filter text. */
export interface ExplainConditionsInput {
  readonly conditions: unknown;
  readonly q: unknown;
  readonly deviceId: unknown;
  readonly orgId: unknown;
}

/** Errors: faults of the input, `not_found` (organization or device), `too_many_nodes`, `filter_timeout`. */
export type ExplainConditions = (
  call: Call,
  input: ExplainConditionsInput,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

interface ExplainConditionsDeps {
  readonly checkConditions: CheckConditions;
  readonly checkText: CheckText;
  readonly narrowReach: NarrowReach;
  readonly deny: Deny;
  readonly runExplain: RunExplain;
}

export function makeExplainConditions(deps: ExplainConditionsDeps): ExplainConditions {
  return async (call, input) => {
    const deviceId = parseExplainedDevice(input.deviceId);
    const orgId = parseOrganization(input.orgId);
    const scope = await deps.narrowReach(call, orgId.ok ? orgId.value : null);
    if (!scope.ok) return deps.deny(call, { action: 'filter.explain', resourceId: null }, scope.error);
    const filter = await checkConditionsOrText(deps, call, scope.value, input);
    if (!deviceId.ok || !orgId.ok) {
      const malformed = [deviceId, orgId].flatMap((id) => (id.ok ? [] : [id.error]));
      return err(toFilterError([...malformed, ...faultsOf(filter)]));
    }
    if (!filter.ok) return filter;
    return deps.runExplain(call, {
      filter: filter.value,
      scope: scope.value,
      deviceId: deviceId.value,
      filterId: null,
      orgId: orgId.value,
      partnerId: null,
    });
  };
}

/** Null for all organizations in reach. */
function parseOrganization(sent: unknown): Result<OrgId | null, FieldError> {
  if (sent === undefined) return ok(null);
  const id = parseId<'organization'>(sent);
  const message = 'orgId must be the UUID of an organization; leave it out to count in all';
  return id === null ? err({ path: 'orgId', code: 'invalid_value', message }) : ok(id);
}
