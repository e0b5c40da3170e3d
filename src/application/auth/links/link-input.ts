import {
  type ApplicationError,
  type FieldError,
  faultsIn,
  toValidationError,
} from '#application/application-error.ts';
import { textFaults } from '#application/auth/auth-input.ts';
import { parseName } from '#application/input-values.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import { PASSWORD_LENGTH, passwordLengthFault } from '#domain/access/password.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { trimText, unstorableReason } from '#domain/text/storable-text.ts';

/** One message for unknown, used, void and expired links, so it reveals nothing. */
export const LINK_INVALID: ApplicationError = {
  code: 'link_invalid',
  detail: 'The link is not valid: it was used before, has expired or was replaced. Ask for a new one.',
};

/** Bounds the digested text. Tokens in mails have 47 characters. */
const MAX_TOKEN_LENGTH = 200;

/** Text that cannot be a token gets a digest too, which matches no link. */
export function digestToken(secrets: Pick<SecretGenerator, 'digest'>, token: string): string {
  return secrets.digest(token.slice(0, MAX_TOKEN_LENGTH));
}

/** Contract: §2. A missing password is left to `textFaults`. */
export function newPasswordFaults(path: string, password: unknown): FieldError[] {
  if (typeof password !== 'string') return [];
  if (passwordLengthFault(password) !== null) {
    const message = `${path} must have ${PASSWORD_LENGTH}; it has ${countCodePoints(password)}`;
    return [{ path, code: 'out_of_range', message }];
  }
  if (!password.isWellFormed()) {
    return [{ path, code: 'invalid_value', message: `${path} must not contain an unpaired surrogate` }];
  }
  return [];
}

/** RFC 5321: 64 characters, @, 255 characters. */
const MAX_EMAIL_LENGTH = 320;

/** The trimmed address, or the fault as a complete message. */
export function parseEmail(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err('email must be a string');
  const reason = unstorableReason(value);
  if (reason !== null) return err(`email ${reason}`);
  const email = trimText(value);
  if (countCodePoints(email) > MAX_EMAIL_LENGTH) {
    return err(`email must have at most ${MAX_EMAIL_LENGTH} characters`);
  }
  const isAddress = /^[^@\s\p{C}<>(),;:"[\]\\]+@[^@\s\p{C}<>(),;:"[\]\\]+$/u.test(email);
  return isAddress ? ok(email) : err('email must be an email address, such as jo@example.com');
}

/** Unchecked input. */
export interface AcceptInput {
  readonly token: unknown;
  readonly name: unknown;
  readonly password: unknown;
  /** `email`, `partnerName` and `organizationName` are only for the first run. */
  readonly email: unknown;
  readonly partnerName: unknown;
  readonly organizationName: unknown;
}

export interface CheckedAcceptance {
  readonly token: string;
  readonly password: string;
  /** Null keeps the name in the invitation. */
  readonly name: string | null;
}

export function parseAcceptance({
  token,
  password,
  name,
}: AcceptInput): Result<CheckedAcceptance, ApplicationError> {
  const isNamed = name !== undefined && name !== null;
  const parsed = isNamed ? parseName(name) : null;
  const faults = [
    ...textFaults({ token, password }),
    ...newPasswordFaults('password', password),
    ...faultsIn({ name: parsed }),
  ];
  if (faults.length > 0 || typeof token !== 'string' || typeof password !== 'string') {
    return err(toValidationError(faults));
  }
  return ok({ token, password, name: parsed?.ok === true ? parsed.value : null });
}
