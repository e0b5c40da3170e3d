/** Previews unsaved conditions over every organization in reach (POST /filters/preview; Contract: §5). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { PREVIEW_LIMIT, toFilterError } from '#application/filters/filter-input.ts';
import { readWholeNumber } from '#application/whole-number.ts';
import { err, type Result } from '#domain/result.ts';
import type { Preview, RunPreview } from './run-preview.ts';

export interface PreviewConditionsInput {
  readonly conditions: unknown;
  readonly limit: unknown;
}

/** Errors: faults of the input, `filter_timeout`. */
export type PreviewConditions = (
  call: Call,
  input: PreviewConditionsInput,
) => Promise<Result<Preview, ApplicationError>>;

export interface PreviewConditionsDeps {
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
    });
  };
}
