/**
 * Deletion requests (Contract: §7). A user has at most one open request (pending or processing). It moves with the
 * user to another organization or partner. Closed requests stay where they were.
 */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type {
  DeletionRequest,
  DeletionStatus,
  PendingRequest,
  ProcessingRequest,
} from '#domain/deletion/deletion-request.ts';
import type { ReviewerCandidate } from '#domain/deletion/deletion-reviewers.ts';
import type { DeletionRequestId, OrgId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** `email` and names are null if the account is erased or out of reach. */
export interface RequestForReview {
  readonly request: DeletionRequest;
  readonly user: { readonly id: UserId; readonly email: string | null; readonly name: string | null };
  /** Null if no one has decided yet, or the decider is erased or out of reach. */
  readonly deciderName: string | null;
}

export interface DeletionListQuery {
  /** Null means any status. */
  readonly status: DeletionStatus | null;
  /** Null means all organizations in reach. */
  readonly orgId: OrgId | null;
  readonly limit: number;
  readonly offset: number;
}

/** Requests out of reach (`isWithinReach`) are neither found nor counted. */
export interface DeletionRequestReader {
  /** The user's open request, or else the newest one, in any tenant. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  find(scope: AccessScope, id: DeletionRequestId): Promise<RequestForReview | null>;
  /** Newest first, ties by descending id. Page and total come from one snapshot. */
  list(
    scope: AccessScope,
    query: DeletionListQuery,
  ): Promise<{ readonly requests: readonly RequestForReview[]; readonly total: number }>;
  countPending(scope: AccessScope): Promise<number>;
  /** Leaves out requests without a note. */
  findNotes(
    scope: AccessScope,
    ids: readonly DeletionRequestId[],
  ): Promise<ReadonlyMap<DeletionRequestId, string>>;
}

export interface AccountHolder extends Attribution {
  readonly person: MailRecipient;
}

export interface ErasureFailure {
  /** The kind of error, without any fact about the account. */
  readonly problem: string;
  readonly failedAt: EpochMs;
}

/** Works within a transaction, limited to its scope. Methods marked "system scope only" throw in any other scope. */
export interface DeletionRequestWriter {
  /**
   * Locks an active account against erasure and other submissions until the transaction ends. Null if the
   * account is not active. System scope only.
   */
  holdAccount(userId: UserId): Promise<AccountHolder | null>;
  /** The user's open request, or else the newest one. System scope only. */
  findLatestOf(userId: UserId): Promise<DeletionRequest | null>;
  /** Locks the request against other writers until the transaction ends. Null if unknown or out of reach. */
  findForUpdate(id: DeletionRequestId): Promise<DeletionRequest | null>;
  /** Throws if the user has an open request or is out of reach. */
  add(request: PendingRequest): Promise<void>;
  /** Throws if the stored status is not `from`, or if the request is out of reach. */
  advance(from: DeletionStatus, next: DeletionRequest): Promise<void>;
  /**
   * Active people who reach the tenant (`isWithinReach`) and hold users:write or are platform administrators, by id.
   * System scope only.
   */
  findReviewerCandidates(attribution: Attribution): Promise<readonly ReviewerCandidate[]>;
  /**
   * The pending request that is due first, if it is due within `REMINDER_LEAD_MS` or overdue. It is marked and not taken
   * again. Skips requests that are locked. Null if none is left. System scope only.
   */
  takeReminder(now: EpochMs): Promise<PendingRequest | null>;
  /** Null if unknown, erased or out of reach. */
  findPerson(userId: UserId): Promise<MailRecipient | null>;
  /**
   * The approved request that has been due longest, locked with its account until the transaction ends. Skips requests
   * that are locked or set aside. Null if none is left. System scope only.
   */
  claimDue(now: EpochMs): Promise<ProcessingRequest | null>;
  /**
   * Counts a failure of an approved request, and sets the request aside until `nextErasureAttempt`. Null if it is no
   * longer approved. System scope only.
   */
  setAside(
    id: DeletionRequestId,
    failure: ErasureFailure,
  ): Promise<{ readonly failures: number; readonly nextAttemptAt: EpochMs } | null>;
}
