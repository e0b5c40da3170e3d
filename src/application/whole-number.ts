import { err, ok, type Result } from '#domain/result.ts';
import type { FieldError } from './application-error.ts';

/** The accepted range, and the default if absent. */
export interface WholeNumbers {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** The number sent at `path`, or a fault. */
export function readWholeNumber(
  path: string,
  sent: unknown,
  { min, max, fallback }: WholeNumbers,
): Result<number, FieldError> {
  if (sent === undefined) return ok(fallback);
  if (typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max) return ok(sent);
  return err({ path, code: 'out_of_range', message: `${path} must be a whole number from ${min} to ${max}` });
}
