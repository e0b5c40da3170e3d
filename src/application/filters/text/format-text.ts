/** Writes conditions as a line of text (POST /filters/format; Contract: §11). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { letOthersGoFirst } from '#application/in-slices.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Returns a text that `ParseText` reads as conditions matching the same devices. `conditions` is unchecked. */
export type FormatText = (call: Call, conditions: unknown) => Promise<Result<string, ApplicationError>>;

export function makeFormatText(deps: { readonly checkConditions: CheckConditions }): FormatText {
  return async ({ caller }, conditions) => {
    const checked = await deps.checkConditions(caller.scope, conditions, caller.userId);
    if (!checked.ok) return err(toFilterError(checked.error));
    await letOthersGoFirst();
    return ok(formatConditions(checked.value));
  };
}
