/** API keys (Contract: §2). */
import {
  ACCOUNT_GONE,
  type ApplicationError,
  faultsIn,
  invalidField,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { Call } from '#application/call.ts';
import { parseKeyExpiry, parseName } from '#application/input-values.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { ApiKeyReader, ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { canReach, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ApiKeyId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import type { EpochMs } from '#domain/time.ts';
import { SESSION_NEEDED, SIGNED_IN_ELSEWHERE } from './auth-refusals.ts';
import { sessionIdOf } from './sessions/own-sessions.ts';

/** Unchecked input. */
export interface ApiKeyInput {
  readonly name: unknown;
  readonly permissions: unknown;
  readonly expiresAt: unknown;
}

export interface CheckedApiKey {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresAt: EpochMs | null;
}

const MAX_PERMISSIONS = 100;

/** Refuses an `expiresAt` that is not after `now`. */
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

export interface IssuedKeyInput extends ApiKeyInput {
  /** Null gives the key its user's whole reach. */
  readonly orgId: OrgId | null;
}

/**
 * Checks a key that an operator issues to a user. Errors: every fault of the input, else permissions that the user does
 * not have, else an organization out of the user's reach.
 */
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

export interface CreatedApiKey {
  readonly summary: ApiKeySummary;
  /** The secret, which is not stored. */
  readonly key: string;
}

/** Needs a recent MFA. The key has at most its user's permissions and scope. The user gets a mail. */
export type CreateApiKey = (
  call: Call,
  input: ApiKeyInput,
) => Promise<Result<CreatedApiKey, ApplicationError>>;

/** Lists keys newest first, without revoked ones. Needs a session. */
export type ListApiKeys = (call: Call) => Promise<Result<readonly ApiKeySummary[], ApplicationError>>;

/** Needs a session: a leaked key must not revoke the others. The user gets a mail. */
export type RevokeApiKey = (call: Call, id: ApiKeyId) => Promise<Result<void, ApplicationError>>;

export interface ManageApiKeysDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly notifyUser: NotifyUser;
  readonly apiKeys: ApiKeyReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

/** Host products add permissions, so an unknown one is only missing, and a likely misspelling gets a hint. */
function named(missing: string, held: ReadonlySet<string>): string {
  const meant = nearestWord(missing, new Set([...ADMINISTRATOR_PERMISSIONS, ...held]));
  return meant === null || meant === missing ? missing : `${missing} (did you mean ${meant}?)`;
}

export function makeCreateApiKey(deps: ManageApiKeysDeps): CreateApiKey {
  return async (call, input) => {
    const { userId, permissions: held } = call.caller;
    const deny = (error: ApplicationError) =>
      deps.deny(call, { action: 'auth.api_key.created', resourceId: null }, error);
    const stale = deps.requireFreshMfa(call);
    if (stale !== null) return deny(stale);
    const now = deps.clock();
    const sent = parseApiKey(input, now);
    if (!sent.ok) return sent;
    const { name, permissions, expiresAt } = sent.value;
    const missing = permissions.filter((permission) => !held.has(permission));
    if (missing.length > 0) {
      return deny({
        code: 'forbidden',
        detail: `An API key cannot have permissions that you do not have yourself: ${missing.map((one) => named(one, held)).join(', ')}.`,
      });
    }
    const record: ApiKeyRecord = {
      kind: 'apiKey',
      id: deps.newId<'api-key'>(),
      key: deps.secrets.apiKey(),
      userId,
      name,
      orgId: null,
      permissions,
      expiresAt,
    };
    const isThere = await deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      // The lock keeps keys from being created while the account is erased.
      if ((await tx.deletions.holdAccount(userId)) === null) return false;
      await tx.apiKeys.add(record, now);
      await tx.audit(
        deps.makeEntry(call, {
          action: 'auth.api_key.created',
          resourceId: record.id,
          // The name is left out: it may contain personal data, and entries outlive the account.
          details: { permissions },
        }),
      );
      await deps.notifyUser(tx, userId, { kind: 'api-key-created', facts: { at: now, name } });
      return true;
    });
    if (!isThere) return err(sessionIdOf(call.caller) === null ? SIGNED_IN_ELSEWHERE : ACCOUNT_GONE);
    const { kind: _kind, key, userId: _userId, ...summary } = record;
    return ok({ summary: { ...summary, createdAt: now }, key });
  };
}

export function makeListApiKeys({ apiKeys }: ManageApiKeysDeps): ListApiKeys {
  return async ({ caller }) =>
    caller.credential.kind === 'api-key' ? err(SESSION_NEEDED) : ok(await apiKeys.list(caller.userId));
}

export function makeRevokeApiKey(deps: ManageApiKeysDeps): RevokeApiKey {
  return (call, id) =>
    deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
      const { userId, credential } = call.caller;
      const attempt = { action: 'auth.api_key.revoked', resourceId: id } as const;
      if (credential.kind === 'api-key') return deps.deny(call, attempt, SESSION_NEEDED, tx);
      const now = deps.clock();
      const revoked = await tx.apiKeys.revoke(userId, id, now);
      if (revoked === null) return deps.deny(call, attempt, API_KEY_NOT_FOUND, tx);
      await tx.audit(deps.makeEntry(call, attempt));
      const facts = { at: now, name: revoked.name };
      await deps.notifyUser(tx, userId, { kind: 'api-key-revoked', facts });
      return ok(undefined);
    });
}

/** Keys of other users get the same message, so ids cannot be probed. */
export const API_KEY_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'You have no such API key.',
};
