/** Checks values before they are stored under a custom field (Contract: §10). */
import { assertNever } from '#domain/assert-never.ts';
import { DATE, describe, oneOf } from '#domain/filter/values/parse-scalar.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import type { CustomFieldDefinition } from './custom-field.ts';

/** Code points. */
export const MAX_CUSTOM_TEXT_LENGTH = 4_000;

/** The value, or the end of a sentence that begins with its name and says why the field refuses it. */
export function checkCustomValue(
  { type, choices }: Pick<CustomFieldDefinition, 'type' | 'choices'>,
  value: unknown,
): Result<string | number | boolean, string> {
  switch (type) {
    case 'text':
      return checkText(value);
    case 'number':
      if (typeof value !== 'number') return err(`must be a number, not ${describe(value)}`);
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER
        ? ok(value)
        : err('must be a number from -(2^53 - 1) to 2^53 - 1; beyond that, numbers are not exact');
    case 'boolean':
      return typeof value === 'boolean' ? ok(value) : err(`must be true or false, not ${describe(value)}`);
    case 'dropdown':
      return oneOf(choices).parse(value);
    case 'date':
      return checkDate(value);
    default:
      return assertNever(type);
  }
}

function checkDate(value: unknown): Result<string, string> {
  const parsed = DATE.parse(value);
  return parsed.ok ? ok(value as string) : parsed;
}

function checkText(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err(`must be a string, not ${describe(value)}`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(reason);
  const length = countCodePoints(value);
  const max = MAX_CUSTOM_TEXT_LENGTH.toLocaleString('en-US');
  return length <= MAX_CUSTOM_TEXT_LENGTH
    ? ok(value)
    : err(`must have at most ${max} characters; it has ${length}`);
}
