import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import type { WholeNumbers } from '#application/input-values.ts';

/** Spec: Limits, preview limit. */
export const PREVIEW_LIMIT: WholeNumbers = { min: 1, max: 100, fallback: 10 };

/** The code is `ambiguous_custom_field` if there are no other faults. */
export function toFilterError(faults: readonly FieldError[]): ApplicationError {
  const error = toValidationError(faults);
  const isAmbiguous = faults.every(({ code }) => code === 'ambiguous_custom_field');
  return isAmbiguous ? { ...error, code: 'ambiguous_custom_field' } : error;
}
