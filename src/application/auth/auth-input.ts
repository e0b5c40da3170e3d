import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import type { PasskeyAnswer } from '#application/auth/passkeys/check-passkey.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';

/** Unchecked input. */
export interface SignInInput {
  readonly email: unknown;
  readonly password: unknown;
  readonly code: unknown;
  /** Replaces `email`, `password` and `code`. */
  readonly passkey?: PasskeyAnswer | null;
}

export interface CheckedSignIn {
  readonly email: string;
  readonly password: string;
  /** Null if absent or empty: forms send an empty string. */
  readonly code: string | null;
}

export function parseSignIn({ email, password, code }: SignInInput): Result<CheckedSignIn, ApplicationError> {
  const faults = textFaults({ email, password });
  const reason = typeof email === 'string' ? unstorableReason(email) : null;
  if (reason !== null) faults.push({ path: 'email', code: 'invalid_value', message: `email ${reason}` });
  const sentCode = code === undefined || code === '' ? null : code;
  if (sentCode !== null && typeof sentCode !== 'string') faults.push(notText('code'));
  if (typeof email === 'string' && typeof password === 'string' && faults.length === 0) {
    return ok({ email, password, code: typeof sentCode === 'string' ? sentCode : null });
  }
  return err(toValidationError(faults));
}

/** The faults of required strings. Empty strings are valid. */
export function textFaults(members: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(members)
    .map(([path, value]) => requireText(path, value))
    .filter((fault) => fault !== null);
}

/** A required string; it may be empty. */
export function parseText(path: string, value: unknown): Result<string, ApplicationError> {
  const fault = requireText(path, value);
  return fault === null && typeof value === 'string'
    ? ok(value)
    : err(toValidationError([fault ?? notText(path)]));
}

function requireText(path: string, value: unknown): FieldError | null {
  if (value === undefined || value === null) {
    return { path, code: 'value_required', message: `${path} is required` };
  }
  return typeof value === 'string' ? null : notText(path);
}

function notText(path: string): FieldError {
  return { path, code: 'invalid_value', message: `${path} must be a string` };
}
