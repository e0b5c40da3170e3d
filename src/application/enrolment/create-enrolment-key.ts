/** Creates a key with which machines report (POST /enrolment-keys; Contract: §13). */
import { toOwnerError, UNKNOWN_ORGANIZATION } from '#application/access/owner-errors.ts';
import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import { type ApplicationError, invalidField } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/require-fresh-mfa.ts';
import type { Call } from '#application/call.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { EnrolmentKeyRefusal } from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { resolveNamedOrg } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type EnrolmentKeyInput, parseEnrolmentKey } from './enrolment-key-input.ts';
import { keyFacts } from './key-facts.ts';

/** A new key. */
export interface CreatedEnrolmentKey {
  readonly summary: EnrolmentKey;
  /** The key itself, which is not stored. */
  readonly key: string;
}

/** Needs devices:write and a recent MFA. Callers of one organization get a key of theirs, whether they name it or not. */
export type CreateEnrolmentKey = (
  call: Call,
  input: EnrolmentKeyInput,
) => Promise<Result<CreatedEnrolmentKey, ApplicationError>>;

export interface CreateEnrolmentKeyDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: Pick<SecretGenerator, 'enrolmentKey' | 'digest'>;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeCreateEnrolmentKey(deps: CreateEnrolmentKeyDeps): CreateEnrolmentKey {
  return async (call, input) => {
    const { scope } = call.caller;
    const deny = (error: ApplicationError) =>
      deps.deny(call, { action: 'enrolment_key.created', resourceId: null }, error);
    const refusal = refuseWithoutDevicesWrite(call) ?? deps.requireFreshMfa(call);
    if (refusal !== null) return deny(refusal);
    const createdAt = deps.clock();
    const sent = parseEnrolmentKey(input, createdAt);
    if (!sent.ok) return sent;
    const owner = resolveNamedOrg(scope, sent.value.orgId);
    if (!owner.ok) {
      const error = toOwnerError(owner.error, scope.kind);
      return error.code === 'forbidden' ? deny(error) : err(error);
    }
    const key = deps.secrets.enrolmentKey();
    const summary: EnrolmentKey = {
      ...sent.value,
      id: deps.newId<'enrolment-key'>(),
      orgId: owner.value,
      createdAt,
    };
    return deps.unitOfWork(scope, async (tx): Promise<Result<CreatedEnrolmentKey, ApplicationError>> => {
      const refused = await tx.enrolmentKeys.add({ ...summary, keySha256: deps.secrets.digest(key) });
      if (refused !== null) return err(REFUSALS[refused]);
      const facts = { action: 'enrolment_key.created', ...keyFacts(summary) } as const;
      await tx.audit(deps.makeEntry(call, facts));
      return ok({ summary, key });
    });
  };
}

const REFUSALS: Readonly<Record<EnrolmentKeyRefusal, ApplicationError>> = {
  'unknown-organization': UNKNOWN_ORGANIZATION,
  'unknown-site': invalidField(
    'siteId',
    'unknown_site',
    'siteId does not match any site of the organization',
  ),
};
