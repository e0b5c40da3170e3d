/** The keys that machines report with (`/enrolment-keys` and `fleetsift enrolment-key`; Contract: §13). */
import {
  refuseWithoutDevicesWrite,
  toOwnerError,
  UNKNOWN_ORGANIZATION,
} from '#application/access/refusals.ts';
import {
  type ApplicationError,
  faultsIn,
  invalidField,
  notFound,
  toValidationError,
} from '#application/application-error.ts';
import { type ActionFacts, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import { parseKeyExpiry, parseName } from '#application/input-values.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type {
  EnrolmentKeyReader,
  EnrolmentKeyRefusal,
} from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type AccessScope, resolveNamedOrg } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { type EnrolmentKeyId, type Id, type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Unchecked input. */
export interface EnrolmentKeyInput {
  readonly orgId: unknown;
  readonly siteId: unknown;
  readonly name: unknown;
  readonly expiresAt: unknown;
}

export interface CreatedEnrolmentKey {
  readonly summary: EnrolmentKey;
  /** The secret, which is not stored. */
  readonly key: string;
}

/** Needs devices:write and a recent MFA. Callers with a single organization may leave `orgId` out. */
export type CreateEnrolmentKey = (
  call: Call,
  input: EnrolmentKeyInput,
) => Promise<Result<CreatedEnrolmentKey, ApplicationError>>;

/** Needs devices:write. Newest first; expired keys are included, revoked ones are not. */
export type ListEnrolmentKeys = (call: Call) => Promise<Result<readonly EnrolmentKey[], ApplicationError>>;

/** Needs devices:write. Devices reported with the key stay. */
export type RevokeEnrolmentKey = (call: Call, id: EnrolmentKeyId) => Promise<Result<void, ApplicationError>>;

export interface EnrolmentUseCases {
  readonly createEnrolmentKey: CreateEnrolmentKey;
  readonly listEnrolmentKeys: ListEnrolmentKeys;
  readonly revokeEnrolmentKey: RevokeEnrolmentKey;
}

export interface EnrolmentPorts extends KeyPorts {
  readonly enrolmentKeys: EnrolmentKeyReader;
  readonly auditLog: AuditLog;
  readonly requireFreshMfa: RequireFreshMfa;
}

export function makeEnrolmentUseCases(ports: EnrolmentPorts): EnrolmentUseCases {
  const { enrolmentKeys, requireFreshMfa } = ports;
  const makeEntry = makeEntryFactory(ports);
  const deny = makeDeny({ ...ports, makeEntry });
  const { issue, revoke } = makeKeyChanges(ports);
  const keeperOf = (call: Call): KeyKeeper => ({
    scope: call.caller.scope,
    makeEntry: (facts) => makeEntry(call, facts),
  });
  return {
    createEnrolmentKey: async (call, input) => {
      const refuse = (error: ApplicationError) =>
        deny(call, { action: 'enrolment_key.created', resourceId: null }, error);
      const refusal = refuseWithoutDevicesWrite(call) ?? requireFreshMfa(call);
      if (refusal !== null) return refuse(refusal);
      const issued = await issue(keeperOf(call), input);
      return !issued.ok && issued.error.code === 'forbidden' ? refuse(issued.error) : issued;
    },
    listEnrolmentKeys: async (call) => {
      const refusal = refuseWithoutDevicesWrite(call);
      return refusal === null ? ok(await enrolmentKeys.list(call.caller.scope)) : err(refusal);
    },
    revokeEnrolmentKey: async (call, id) => {
      const refuse = (error: ApplicationError) =>
        deny(call, { action: 'enrolment_key.revoked', resourceId: id }, error);
      const refusal = refuseWithoutDevicesWrite(call);
      if (refusal !== null) return refuse(refusal);
      return (await revoke(keeperOf(call), id)) ? ok(undefined) : refuse(ENROLMENT_KEY_NOT_FOUND);
    },
  };
}

/** The person or operator who changes keys. */
export interface KeyKeeper {
  readonly scope: AccessScope;
  readonly makeEntry: (facts: ActionFacts) => AuditEntry;
}

/** Serves people and the operator. Callers check permissions first. */
export interface KeyChanges {
  issue(keeper: KeyKeeper, input: EnrolmentKeyInput): Promise<Result<CreatedEnrolmentKey, ApplicationError>>;
  /** False if no such key is in reach. */
  revoke(keeper: KeyKeeper, id: EnrolmentKeyId): Promise<boolean>;
}

export interface KeyPorts {
  readonly unitOfWork: UnitOfWork;
  readonly secrets: Pick<SecretGenerator, 'enrolmentKey' | 'digest'>;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeKeyChanges({ unitOfWork, secrets, clock, newId }: KeyPorts): KeyChanges {
  return {
    issue: async ({ scope, makeEntry }, input) => {
      const createdAt = clock();
      const sent = parseEnrolmentKey(input, createdAt);
      if (!sent.ok) return sent;
      const owner = resolveNamedOrg(scope, sent.value.orgId);
      if (!owner.ok) return err(toOwnerError(owner.error, scope.kind));
      const key = secrets.enrolmentKey();
      const id = newId<'enrolment-key'>();
      const summary: EnrolmentKey = { ...sent.value, id, orgId: owner.value, createdAt };
      return unitOfWork(scope, async (tx): Promise<Result<CreatedEnrolmentKey, ApplicationError>> => {
        const refused = await tx.enrolmentKeys.add({ ...summary, keySha256: secrets.digest(key) });
        if (refused !== null) return err(REFUSALS[refused]);
        await tx.audit(makeEntry({ action: 'enrolment_key.created', ...factsOf(summary) }));
        return ok({ summary, key });
      });
    },
    revoke: ({ scope, makeEntry }, id) =>
      unitOfWork(scope, async (tx) => {
        const revoked = await tx.enrolmentKeys.revoke(id, clock());
        if (revoked === null) return false;
        await tx.audit(makeEntry({ action: 'enrolment_key.revoked', ...factsOf(revoked) }));
        return true;
      }),
  };
}

/** The name is left out: it may contain personal data, and audit entries are permanent. */
function factsOf({ id, orgId, siteId }: EnrolmentKey): Omit<ActionFacts, 'action'> {
  return { resourceId: id, orgId, details: { siteId } };
}

/** The store checks that organization and site exist. */
interface CheckedEnrolmentKey extends Pick<EnrolmentKey, 'siteId' | 'name' | 'expiresAt'> {
  readonly orgId: OrgId | null;
}

/** Refuses an `expiresAt` that is not after `now`. */
function parseEnrolmentKey(
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

const REFUSALS: Readonly<Record<EnrolmentKeyRefusal, ApplicationError>> = {
  'unknown-organization': UNKNOWN_ORGANIZATION,
  'unknown-site': invalidField(
    'siteId',
    'unknown_site',
    'siteId does not match any site of the organization',
  ),
};

/** Unknown keys and keys out of reach get the same answer, so ids cannot be probed. */
export const ENROLMENT_KEY_NOT_FOUND = notFound('enrolment key');
