/** Checks the input for a new API key and reports every fault. */
import { type ApplicationError, faultsIn, toValidationError } from '#application/application-error.ts';
import { parseDate } from '#application/date-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
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

const MAX_NAME_LENGTH = 200;
const MAX_PERMISSIONS = 100;

/** `expiresAt` must be after `now`. */
export function parseApiKey(
  { name, permissions, expiresAt }: ApiKeyInput,
  now: EpochMs,
): Result<CheckedApiKey, ApplicationError> {
  const parsed = {
    name: parseName(name),
    permissions: parsePermissions(permissions ?? []),
    expiresAt: parseExpiry(expiresAt ?? null, now),
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
  const date = parseDate(typeof value === 'string' ? value : '');
  if (!date.ok) return err(`expiresAt ${date.error}`);
  const { epochMs } = date.value;
  return epochMs > now ? ok(epochMs) : err('expiresAt must be in the future');
}
