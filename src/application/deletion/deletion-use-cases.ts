import { makeNarrowReach } from '#application/access/narrow-reach.ts';
import { makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type CancelDeletion,
  makeCancelDeletion,
  makeReadOwnDeletion,
  makeSubmitDeletion,
  type ReadOwnDeletion,
  type SubmitDeletion,
  type SubmitDeletionDeps,
} from './own-deletion.ts';
import { makeProcessDeletion, type ProcessDeletion } from './process-deletion.ts';
import {
  type CountPendingDeletions,
  type ListDeletions,
  makeCountPendingDeletions,
  makeListDeletions,
  makeReadDeletion,
  type ReadDeletion,
} from './review-deletions.ts';

export interface DeletionUseCases {
  readonly readOwnDeletion: ReadOwnDeletion;
  readonly submitDeletion: SubmitDeletion;
  readonly cancelDeletion: CancelDeletion;
  readonly listDeletions: ListDeletions;
  readonly countPendingDeletions: CountPendingDeletions;
  readonly readDeletion: ReadDeletion;
  readonly processDeletion: ProcessDeletion;
}

export interface DeletionPorts {
  readonly deletionRequests: DeletionRequestReader;
  readonly organizationExists: OrganizationDirectory;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly rateLimiter: RateLimiter;
  readonly signIns: SignInStore;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly checkPassword: SubmitDeletionDeps['checkPassword'];
  readonly hasProvenRecently: SubmitDeletionDeps['hasProvenRecently'];
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeDeletionUseCases(ports: DeletionPorts): DeletionUseCases {
  const makeEntry = makeEntryFactory(ports);
  const deny = makeDeny({ ...ports, makeEntry });
  const deps = { ...ports, makeEntry, deny, narrowReach: makeNarrowReach(ports) };
  return {
    readOwnDeletion: makeReadOwnDeletion(deps),
    submitDeletion: makeSubmitDeletion(deps),
    cancelDeletion: makeCancelDeletion(deps),
    listDeletions: makeListDeletions(deps),
    countPendingDeletions: makeCountPendingDeletions(deps),
    readDeletion: makeReadDeletion(deps),
    processDeletion: makeProcessDeletion(deps),
  };
}
