/** What came from outside for an API key: checked, with every fault at once. */
import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** As sent; nothing is checked yet. */
export interface ApiKeyInput {
  readonly name: unknown;
  readonly permissions: unknown;
  readonly expiresAt: unknown;
}

export interface CheckedApiKey {
  /** Trimmed. */
  readonly name: string;
  /** Each once; none where none were sent. */
  readonly permissions: readonly string[];
  /** null is never. */
  readonly expiresAt: EpochMs | null;
}

const MAX_NAME_LENGTH = 200;
const MAX_PERMISSIONS = 100;

export function parseApiKey(
  { name, permissions, expiresAt }: ApiKeyInput,
  now: EpochMs,
): Result<CheckedApiKey, ApplicationError> {
  const parsedName = parseName(name);
  const parsedPermissions = parsePermissions(permissions ?? []);
  const parsedExpiry = parseExpiry(expiresAt ?? null, now);
  if (parsedName.ok && parsedPermissions.ok && parsedExpiry.ok) {
    return ok({
      name: parsedName.value,
      permissions: parsedPermissions.value,
      expiresAt: parsedExpiry.value,
    });
  }
  const faults: FieldError[] = [];
  if (!parsedName.ok) faults.push(fault('name', parsedName.error));
  if (!parsedPermissions.ok) faults.push(fault('permissions', parsedPermissions.error));
  if (!parsedExpiry.ok) faults.push(fault('expiresAt', parsedExpiry.error));
  return err(toValidationError(faults));
}

function parseName(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err('name must be a string of 1 to 200 characters');
  const reason = unstorableReason(value);
  if (reason !== null) return err(`name ${reason}`);
  const name = value.trim();
  const length = countCodePoints(name);
  return length >= 1 && length <= MAX_NAME_LENGTH
    ? ok(name)
    : err(`name must have 1 to ${MAX_NAME_LENGTH} characters after trimming; it has ${length}`);
}

function parsePermissions(value: unknown): Result<readonly string[], string> {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_PERMISSIONS &&
    value.every((item) => typeof item === 'string');
  return isList
    ? ok([...new Set<string>(value)])
    : err(`permissions must be a list of at most ${MAX_PERMISSIONS} strings`);
}

function parseExpiry(value: unknown, now: EpochMs): Result<EpochMs | null, string> {
  if (value === null) return ok(null);
  const instant = typeof value === 'string' ? parseIsoInstant(value) : null;
  if (instant === null) {
    return err('expiresAt must be an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z');
  }
  return instant.epochMs > now ? ok(instant.epochMs) : err('expiresAt must be in the future');
}

function fault(path: string, message: string): FieldError {
  return { path, code: 'invalid_value', message };
}
