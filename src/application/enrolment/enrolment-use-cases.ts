/** The use cases of enrolment keys, built from the ports they need. */
import { makeDeny } from '#application/audit/deny.ts';
import { makeEntryFactory } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/require-fresh-mfa.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { EnrolmentKeyReader } from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type CreateEnrolmentKey, makeCreateEnrolmentKey } from './create-enrolment-key.ts';
import { type ListEnrolmentKeys, makeListEnrolmentKeys } from './list-enrolment-keys.ts';
import { makeRevokeEnrolmentKey, type RevokeEnrolmentKey } from './revoke-enrolment-key.ts';

/** By name. Each checks who asks and what was sent, and records what it changes. */
export interface EnrolmentUseCases {
  readonly createEnrolmentKey: CreateEnrolmentKey;
  readonly listEnrolmentKeys: ListEnrolmentKeys;
  readonly revokeEnrolmentKey: RevokeEnrolmentKey;
}

/** What the use cases need of the outside. */
export interface EnrolmentPorts {
  readonly enrolmentKeys: EnrolmentKeyReader;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly secrets: Pick<SecretGenerator, 'enrolmentKey' | 'digest'>;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

/** The use cases over these ports. */
export function makeEnrolmentUseCases(ports: EnrolmentPorts): EnrolmentUseCases {
  const makeEntry = makeEntryFactory(ports);
  const deps = { ...ports, makeEntry, deny: makeDeny({ ...ports, makeEntry }) };
  return {
    createEnrolmentKey: makeCreateEnrolmentKey(deps),
    listEnrolmentKeys: makeListEnrolmentKeys(deps),
    revokeEnrolmentKey: makeRevokeEnrolmentKey(deps),
  };
}
