/** Checks the input for a new enrolment key and reports every fault. */
import { type ApplicationError, faultsIn, toValidationError } from '#application/application-error.ts';
import { parseKeyExpiry } from '#application/auth/key-expiry.ts';
import { parseName } from '#application/name-input.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { type Id, type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** As sent; nothing is checked yet. */
export interface EnrolmentKeyInput {
  readonly orgId: unknown;
  readonly siteId: unknown;
  readonly name: unknown;
  readonly expiresAt: unknown;
}

/** Valid input; whether there is such an organization and such a site is for the store to say. */
export interface CheckedEnrolmentKey extends Pick<EnrolmentKey, 'siteId' | 'name' | 'expiresAt'> {
  /** null: none was sent. */
  readonly orgId: OrgId | null;
}

/** `expiresAt` must be after `now`. */
export function parseEnrolmentKey(
  { orgId, siteId, name, expiresAt }: EnrolmentKeyInput,
  now: EpochMs,
): Result<CheckedEnrolmentKey, ApplicationError> {
  const parsed = {
    orgId: parseOptionalId<'organization'>('orgId', orgId),
    siteId: parseOptionalId<'site'>('siteId', siteId),
    name: parseName(name),
    expiresAt: parseKeyExpiry(expiresAt, now),
  };
  if (!parsed.orgId.ok || !parsed.siteId.ok || !parsed.name.ok || !parsed.expiresAt.ok) {
    return err(toValidationError(faultsIn(parsed)));
  }
  return ok({
    orgId: parsed.orgId.value,
    siteId: parsed.siteId.value,
    name: parsed.name.value,
    expiresAt: parsed.expiresAt.value,
  });
}

function parseOptionalId<K extends string>(path: string, value: unknown): Result<Id<K> | null, string> {
  if (value === undefined || value === null) return ok(null);
  const id = parseId<K>(value);
  return id === null ? err(`${path} must be a UUID`) : ok(id);
}
