/** Explains conditions or a text over the organizations in reach, or one of them (POST /filters/explain; Contract: §12). */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { CheckText } from '#application/filters/text/check-text.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type ExplainedFilter, parseExplainedDevice, type RunExplain } from './run-explain.ts';

/** Unchecked input; `undefined` if absent. Either conditions or a filter text. */
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

export interface ExplainConditionsDeps {
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
    const filter = await checkFilter(deps, call, scope.value, input);
    if (!deviceId.ok || !orgId.ok) {
      const malformed = [deviceId, orgId].flatMap((id) => (id.ok ? [] : [id.error]));
      const faults = !filter.ok && 'errors' in filter.error ? filter.error.errors : [];
      return err(toFilterError([...malformed, ...faults]));
    }
    if (!filter.ok) return filter;
    return deps.runExplain(call, {
      filter: filter.value,
      scope: scope.value,
      deviceId: deviceId.value,
      filterId: null,
      orgId: orgId.value,
    });
  };
}

/** Null, for all organizations in reach, if none was sent. */
function parseOrganization(sent: unknown): Result<OrgId | null, FieldError> {
  if (sent === undefined) return ok(null);
  const id = parseId<'organization'>(sent);
  const message = 'orgId must be the UUID of an organization; leave it out to count in all';
  return id === null ? err({ path: 'orgId', code: 'invalid_value', message }) : ok(id);
}

async function checkFilter(
  deps: ExplainConditionsDeps,
  { caller: { userId } }: Call,
  scope: AccessScope,
  { conditions, q }: ExplainConditionsInput,
): Promise<Result<ConditionGroup, ApplicationError>> {
  if (q === undefined) {
    const checked = await deps.checkConditions(scope, conditions, userId);
    return checked.ok ? checked : err(toFilterError(checked.error));
  }
  if (conditions !== undefined) return err(toFilterError([BOTH]));
  const checked = await deps.checkText(scope, q, userId);
  return checked.ok ? ok(checked.value.filter) : checked;
}

const BOTH: FieldError = {
  path: 'q',
  code: 'value_not_allowed',
  message: 'send either conditions or q; both were sent',
};
