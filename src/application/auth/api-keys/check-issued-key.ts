/** Whether an operator may issue an API key for a user: by the same rules as the user's own request for one. */
import { type ApplicationError, invalidField } from '#application/application-error.ts';
import { canReach } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { type ApiKeyInput, type CheckedApiKey, parseApiKey } from './api-key-input.ts';

export interface IssuedKeyInput extends ApiKeyInput {
  /** Narrows the key to this organization; null: no narrowing. */
  readonly orgId: OrgId | null;
}

/** The key, valid for this user at `now`, or every fault of the input, or what the user does not hold or reach. */
export function checkIssuedKey(
  user: Principal,
  input: IssuedKeyInput,
  now: EpochMs,
): Result<CheckedApiKey & Pick<IssuedKeyInput, 'orgId'>, ApplicationError> {
  const parsed = parseApiKey(input, now);
  if (!parsed.ok) return parsed;
  const missing = parsed.value.permissions.filter((permission) => !user.permissions.has(permission));
  if (missing.length > 0) {
    const message = `permissions must not exceed those of the user, who lacks: ${missing.join(', ')}`;
    return err(invalidField('permissions', 'permission_not_held', message));
  }
  const { orgId } = input;
  if (orgId !== null && !canReach(user.scope, orgId)) {
    return err(invalidField('orgId', 'out_of_reach', 'orgId must be an organization that the user reaches'));
  }
  return ok({ ...parsed.value, orgId });
}
