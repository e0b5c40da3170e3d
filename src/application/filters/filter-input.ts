/** Checks the input of the filter use cases. */
import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Spec: Limits, preview limit. */
export const MIN_PREVIEW_LIMIT = 1;
export const MAX_PREVIEW_LIMIT = 100;
export const DEFAULT_PREVIEW_LIMIT = 10;

/** The preview limit of a body: a number, or absent for the default. */
export function parsePreviewLimit(value: unknown): Result<number, FieldError> {
  if (value === undefined) return ok(DEFAULT_PREVIEW_LIMIT);
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= MIN_PREVIEW_LIMIT &&
    value <= MAX_PREVIEW_LIMIT
  ) {
    return ok(value);
  }
  return err({
    path: 'limit',
    code: 'out_of_range',
    message: `limit must be a whole number from ${MIN_PREVIEW_LIMIT} to ${MAX_PREVIEW_LIMIT}`,
  });
}

/** All faults as one error: `ambiguous_custom_field` if ambiguous fields are all that is wrong. */
export function toFilterError(faults: readonly FieldError[]): ApplicationError {
  const error = toValidationError(faults);
  const isAmbiguous = faults.every(({ code }) => code === 'ambiguous_custom_field');
  return isAmbiguous ? { ...error, code: 'ambiguous_custom_field' } : error;
}
