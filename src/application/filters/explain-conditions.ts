/** Explains conditions or a text over every organization in reach (POST /filters/explain; Contract: §12). */
import type { ApplicationError, FieldError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { CheckConditions } from './check-conditions.ts';
import type { CheckText } from './check-text.ts';
import { toFilterError } from './filter-input.ts';
import { type ExplainedFilter, parseExplainedDevice, type RunExplain } from './run-explain.ts';

/** As sent, not checked yet; `undefined` where absent. Either conditions or a filter text. */
export interface ExplainConditionsInput {
  readonly conditions: unknown;
  readonly q: unknown;
  readonly deviceId: unknown;
}

export type ExplainConditions = (
  call: Call,
  input: ExplainConditionsInput,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

export interface ExplainConditionsDeps {
  readonly checkConditions: CheckConditions;
  readonly checkText: CheckText;
  readonly runExplain: RunExplain;
}

export function makeExplainConditions(deps: ExplainConditionsDeps): ExplainConditions {
  return async (call, input) => {
    const deviceId = parseExplainedDevice(input.deviceId);
    const filter = await checkFilter(deps, call, input);
    if (!deviceId.ok) {
      const faults = !filter.ok && 'errors' in filter.error ? filter.error.errors : [];
      return err(toFilterError([deviceId.error, ...faults]));
    }
    if (!filter.ok) return filter;
    return deps.runExplain(call, {
      filter: filter.value,
      scope: call.caller.scope,
      deviceId: deviceId.value,
      filterId: null,
      orgId: null,
    });
  };
}

async function checkFilter(
  deps: ExplainConditionsDeps,
  { caller: { scope, userId } }: Call,
  { conditions, q }: ExplainConditionsInput,
): Promise<Result<ConditionGroup, ApplicationError>> {
  if (q === undefined) {
    const checked = await deps.checkConditions(scope, conditions, userId);
    return checked.ok ? checked : err(toFilterError([], checked.error));
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
