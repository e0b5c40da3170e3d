/** Reads a filter text without evaluating it (/filters/parse; Contract: §11). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { letOthersGoFirst } from '#application/in-slices.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { ok, type Result } from '#domain/result.ts';
import type { CheckText } from './check-text.ts';

export interface ParsedText {
  /** The meaning of the text as sent in JSON, valid in the caller's organizations. */
  readonly conditions: ConditionJson;
  /** The canonical text, equal for all ways to write these conditions. */
  readonly q: string;
}

/** `q` is unchecked. */
export type ParseText = (call: Call, q: unknown) => Promise<Result<ParsedText, ApplicationError>>;

export function makeParseText(deps: { readonly checkText: CheckText }): ParseText {
  return async ({ caller }, q) => {
    const checked = await deps.checkText(caller.scope, q, caller.userId);
    if (!checked.ok) return checked;
    const { conditions, filter } = checked.value;
    await letOthersGoFirst();
    return ok({ conditions, q: formatConditions(filter) });
  };
}
