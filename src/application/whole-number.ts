/** Whole numbers that use cases are sent, such as how many results are wanted. */
import { err, ok, type Result } from '#domain/result.ts';
import type { FieldError } from './application-error.ts';

/** Which numbers are taken, and the one that an absent number stands for. */
export interface WholeNumbers {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** The number that was sent at `path`, or what to send instead. */
export function readWholeNumber(
  path: string,
  sent: unknown,
  { min, max, fallback }: WholeNumbers,
): Result<number, FieldError> {
  if (sent === undefined) return ok(fallback);
  if (typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max) return ok(sent);
  return err({ path, code: 'out_of_range', message: `${path} must be a whole number from ${min} to ${max}` });
}
