/** Checks the input for a new API key and reports every fault. */
import { type ApplicationError, faultsIn, toValidationError } from '#application/application-error.ts';
import { parseKeyExpiry } from '#application/auth/key-expiry.ts';
import { parseName } from '#application/name-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** As sent; nothing is checked yet. */
export interface ApiKeyInput {
  readonly name: unknown;
  readonly permissions: unknown;
  readonly expiresAt: unknown;
}

/** Valid input. */
export interface CheckedApiKey {
  /** Trimmed. */
  readonly name: string;
  /** Without duplicates; empty if none were sent. */
  readonly permissions: readonly string[];
  /** null: never. */
  readonly expiresAt: EpochMs | null;
}

const MAX_PERMISSIONS = 100;

/** `expiresAt` must be after `now`. */
export function parseApiKey(
  { name, permissions, expiresAt }: ApiKeyInput,
  now: EpochMs,
): Result<CheckedApiKey, ApplicationError> {
  const parsed = {
    name: parseName(name),
    permissions: parsePermissions(permissions ?? []),
    expiresAt: parseKeyExpiry(expiresAt, now),
  };
  if (!parsed.name.ok || !parsed.permissions.ok || !parsed.expiresAt.ok) {
    return err(toValidationError(faultsIn(parsed)));
  }
  return ok({
    name: parsed.name.value,
    permissions: parsed.permissions.value,
    expiresAt: parsed.expiresAt.value,
  });
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
